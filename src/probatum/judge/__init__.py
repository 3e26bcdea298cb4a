"""May an output be accepted?"""
