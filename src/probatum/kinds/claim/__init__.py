"""Exact claims: is it true?"""
