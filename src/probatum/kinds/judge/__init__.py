"""An output with acceptance criteria: may it be accepted?"""
