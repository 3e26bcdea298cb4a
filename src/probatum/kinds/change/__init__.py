"""A change to a repository: may it be merged?"""
