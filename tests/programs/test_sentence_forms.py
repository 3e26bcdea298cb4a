"""Each sentence form: what it reads, what it then holds to be right and wrong, and what it must leave alone."""

from __future__ import annotations

import builtins
import collections
import itertools
import math
from pathlib import Path

import pytest

from probatum.programs.extract import extract_contract, extract_module
from probatum.programs.results.nouns import Scene
from probatum.programs.results.outcomes import said_of_result
from probatum.programs.results.sentence_core import core_of, without_article, without_introduction
from probatum.programs.results.sentence_form import Form
from probatum.programs.results.stated import EQUATION, FORMS, SENTINEL
from probatum.programs.specification import Property

NUMBERS = "xs: list[int]"
TEXT = "s: str"
TEXTS = "words: list[str]"

# form, parameters, documentation, arguments, a right result, a wrong one
READ: tuple[tuple[str, str, str, tuple[object, ...], object, object], ...] = (
    ("sum", NUMBERS, "Return the sum of all positive numbers in the list.", ([1, -2, 3],), 4, 2),
    ("sum", NUMBERS, "Computes the sum of the squares of the numbers.", ([1, 2],), 5, 3),
    ("sum", "xs", "Given a list of integers, return the sum of the even elements.", ([1, 2, 4],), 6, 7),
    ("sum_of", NUMBERS, "Add up all the numbers in xs.", ([1, 2],), 3, 4),
    ("sum_of", "lst", "Given a list of integers lst, add the even elements that are at odd indices.", ([1, 2, 4],), 2,
    6),
    ("product", NUMBERS, "Return the product of all the numbers in xs.", ([2, 3],), 6, 5),
    ("mean", NUMBERS, "Calculate the average of the numbers in the list.", ([1, 2],), 1.5, 1),
    ("median", NUMBERS, "Return the median of the elements in the list.", ([1, 2, 4, 9],), 3.0, 4),
    ("mean_absolute_deviation", NUMBERS, "Return the mean absolute deviation of the numbers.", ([1, 3],), 1, 2),
    ("count", NUMBERS, "Count the even numbers in the list.", ([1, 2, 4],), 2, 3),
    ("count", NUMBERS, "Returns how many numbers in the list are greater than 2.", ([1, 2, 4],), 1, 2),
    ("count", TEXT, "Return the number of vowels in the string.", ("bANana",), 3, 2),
    ("count", TEXT, "Find out how many distinct characters are there in the given string.", ("aab",), 2, 3),
    ("counts", "n: int", "Return a tuple that has the number of even and odd digits of n.", (-120,), (2, 1), (1, 2)),
    ("counts", "n", "Given an integer, return a pair of the number of odd and even digits respectively.", (0,), (0, 1),
    (0, 0)),
    ("counts", NUMBERS, "Return a list with the number of positive and negative numbers in xs.", ([1, 2, -3],), [2, 1],
    [3, 0]),
    ("counts", TEXT, "Return a tuple containing the number of vowels and the number of consonants in the string.",
    ("lemon",), (2, 3), (3, 2)),
    ("counts", TEXT, "Count the vowels and consonants in the string, respectively.", ("lemon",), (2, 3), (2, 4)),
    ("sum", NUMBERS, "Return the sum of the first three elements of the list.", ([1, 2, 3, 4],), 6, 10),
    ("sum", "xs: list[int], k: int", "Return the sum of the even numbers from the first k elements of xs.",
    ([1, 2, 4], 2), 2, 6),
    ("extreme", "xs: list[int], k: int", "Return the largest of the last k numbers in xs.", ([9, 2, 3], 2), 3, 9),
    ("occurrences", "s: str, part: str", "Return how many times part occurs in s.", ("aaa", "a"), 3, 4),
    ("extreme", NUMBERS, "Return the largest even number in the list.", ([2, 4, 5],), 4, 5),
    ("extreme", NUMBERS, "Find the minimum of xs.", ([2, 4],), 2, 4),
    ("longest", TEXTS, "Return the longest string in the list.", (["a", "bb"],), "bb", "a"),
    ("first_longest", TEXTS, "Return the longest of the strings, the first one in case of ties.", (["ab", "cd"],),
    "ab", "cd"),
    ("length", TEXT, "Return the length of the given string.", ("abc",), 3, 2),
    ("sum_of_two", "x: int, y: int", "Add two numbers x and y.", (1, 2), 3, 4),
    ("product_of_two", "a: int, b: int", "Return the product of a and b.", (2, 5), 10, 7),
    ("difference", "a: int, b: int", "Return the absolute difference between a and b.", (2, 5), 3, -3),
    ("greatest_common_divisor", "a: int, b: int", "Return the greatest common divisor of a and b.", (4, 6), 2, 4),
    ("greatest_common_divisor", "a: int, b: int", "Compute the least common multiple of two integers.", (4, 6), 12, 24),
    ("larger_of_two", "a: int, b: int", "Return the smaller of two numbers.", (4, 6), 4, 6),
    ("absolute_value", "x: int", "Return the absolute value of x.", (-4,), 4, -4),
    ("factorial", "n: int", "Return the factorial of n.", (4,), 24, 10),
    ("fibonacci", "n: int", "Return the n-th Fibonacci number.", (10,), 55, 54),
    ("fractional_part", "number: float", "Return the decimal part of the number.", (3.5,), 0.5, 3.0),
    ("sum_from_one_to", "n: int", "Return the sum of the integers from 1 to n.", (4,), 10, 6),
    ("digits", "n: int", "Return the sum of the digits of n.", (123,), 6, 3),
    ("digits", "n: int", "Given a positive integer n, return the product of the odd digits.", (123,), 3, 6),
    ("power_modulo", "n: int, p: int", "Return 2^n modulo p.", (3, 5), 3, 8),
    ("power", "x: int, n: int", "Return x raised to the power of n.", (2, 3), 8, 6),
    ("prime_factors", "n: int", "Return the list of prime factors of n in ascending order.", (12,), [2, 2, 3], [2, 6]),
    ("extreme_prime_factor", "n: int", "Return the largest prime factor of n.", (12,), 3, 6),
    ("largest_proper_divisor", "n: int", "Find the largest number that divides n evenly, smaller than n.", (12,), 6,
    12),
    ("notation", "n: int", "Return the binary representation of n.", (5,), "0b101", "11"),
    ("base_conversion", "x: int, base: int", "Convert the number x to base.", (5, 2), "101", "5"),
    ("divisors", "n: int", "Return the list of all divisors of n.", (6,), [1, 2, 3, 6], [2, 3]),
    ("primes_below", "n: int", "Return all primes up to n.", (10,), [2, 3, 5, 7], [1, 2, 3, 5, 7]),
    ("case", TEXT, "Convert the string to uppercase.", ("aB",), "AB", "ab"),
    ("swapped_case", TEXT, "Swap the case of all letters in the string.", ("aB",), "Ab", "AB"),
    ("reversed_text", TEXT, "Return the reverse of the string.", ("ab",), "ba", "ab"),
    ("concatenation", TEXTS, "Concatenate the list of strings into a single string.", (["a", "b"],), "ab", "a b"),
    ("prefixes", TEXT, "Return all prefixes of the string.", ("ab",), ["ab", "a"], ["b", "ab"]),
    ("prefixes", TEXT, "Return list of all prefixes from shortest to longest of the input string.", ("ab",), ["a",
    "ab"], ["ab", "a"]),
    ("numbers_in_a_row", "n: int", "Return a string of comma-separated numbers from 1 to n inclusive.", (3,), "1,2,3",
    "1,2"),
    ("without_letters", TEXT, "Return the string without vowels.", ("aBc",), "Bc", "aBc"),
    ("replaced", "s: str, old: str, new: str", "Replace all occurrences of old with new in s.", ("aba", "a", "c"),
    "cbc", "cba"),
    ("repeated", "s: str, n: int", "Repeat the string n times.", ("ab", 2), "abab", "ab"),
    ("filtered", NUMBERS, "Return only positive numbers in the list.", ([1, -2, 0],), [1], [1, 0]),
    ("filtered", "xs: list[int], n: int", "Return a list of the elements of xs that are greater than n.", ([1, 2, 3],
    2), [3], [2, 3]),
    ("filter_for", "strings: list[str], prefix: str", "Filter the list of strings only for ones that start with the "
    "given prefix.", (["ab", "b"], "a"), ["ab"], ["b"]),
    ("removed", NUMBERS, "Remove all negative numbers from the list.", ([1, -2],), [1], [-2]),
    ("removed", NUMBERS, "Remove all elements that occur more than once from the list.", ([1, 2, 2],), [1], [1, 2]),
    ("sorted_copy", NUMBERS, "Return a sorted version of the list.", ([2, 1],), [1, 2], [2, 1]),
    ("sorted_copy", NUMBERS, "Return sorted unique elements in a list.", ([2, 1, 2],), [1, 2], [1, 2, 2]),
    ("sorted_after", NUMBERS, "Return the given list sorted in descending order.", ([1, 2],), [2, 1], [1, 2]),
    ("sorted_items", NUMBERS, "Return a list of the even numbers in xs sorted in ascending order.", ([4, 2, 1],), [2,
    4], [4, 2]),
    ("sort", NUMBERS, "Sort the list in descending order.", ([1, 2],), [2, 1], [1, 2]),
    ("without_duplicates", NUMBERS, "Remove duplicates from the list.", ([1, 1, 2],), [2, 1], [1, 1, 2]),
    ("unique_items", NUMBERS, "Return the unique elements of the list.", ([1, 1, 2],), [1, 2], [1]),
    ("reversed_list", NUMBERS, "Reverse the given list.", ([1, 2],), [2, 1], [1, 2]),
    ("common_items", "a: list[int], b: list[int]", "Return sorted unique common elements for two lists.", ([2, 1], [1,
    2]), [1, 2], [2, 1]),
    ("changed_by", NUMBERS, "Return list with elements incremented by 1.", ([1],), [2], [1]),
    ("squares", NUMBERS, "Return a list of the squares of the numbers.", ([1, 3],), [1, 9], [1, 6]),
    ("running", NUMBERS, "Return the running maximum of the list.", ([1, 3, 2],), [1, 3, 3], [1, 3, 2]),
    ("between_items", "xs: list[int], sep: int", "Insert sep between every two consecutive elements of xs.", ([1, 2],
    0), [1, 0, 2], [1, 0, 2, 0]),
    ("index_of", "xs: list[int], target: int", "Return the index of target in the list.", ([5, 6], 6), 1, 0),
    ("ranked", NUMBERS, "Return the second largest number in the list.", ([1, 2, 3],), 2, 3),
    ("most_frequent", NUMBERS, "Return the most common element of the list.", ([1, 2, 2],), 2, 1),
    ("sum_of_part", NUMBERS, "Find the maximum sum of any contiguous subarray.", ([1, -5, 2, 3],), 5, 6),
    ("spread", NUMBERS, "Return the difference between the largest and smallest elements of the list.", ([1, 5],), 4,
    5),
    ("dot_product", "a: list[int], b: list[int]", "Return the dot product of two lists.", ([1, 2], [3, 4]), 11, 10),
    ("merged", "a: list[int], b: list[int]", "Merge two sorted lists into one sorted list.", ([1, 3], [2]), [1, 2, 3],
    [1, 3, 2]),
    ("pair_of_values", NUMBERS, "Return a tuple of the minimum and maximum of xs.", ([1, 5],), (1, 5), (5, 1)),
    ("one_of_two_lists", "a: list[int], b: list[int]", "Return the list that has fewer elements.", ([1], [2, 3]), [1],
    [2]),
    ("true_if", "a: int, b: int, c: int", "Return True if the three sides form a right-angled triangle, False "
    "otherwise.", (5, 3, 4), True, False),
    ("true_if", "a: int, b: int, c: int", "Returns true if a, b and c can form a triangle.", (1, 2, 9), False, True),
    ("true_if", "a: int, b: int, c: int", "Return True if the triangle is isosceles.", (5, 3, 5), True, False),
    ("true_is", "p: int, q: int, r: int", "Check whether the given lengths are the sides of a scalene triangle.",
    (4, 3, 5), True, False),
    ("true_is", "p: int, q: int, r: int", "Check if three sides make an equilateral triangle.", (4, 4, 5), False, True),
    ("true_if", "n: int", "Return True if n is the product of three prime numbers.", (12,), True, False),
    ("true_if", "n: int", "Returns true if the given number is the multiplication of 2 primes and false otherwise.",
    (12,), False, True),
    ("true_if", "xs: list[int], t: int", "Return True if all numbers in the list are below threshold t, False "
    "otherwise.", ([1, 2], 3), True, False),
    ("true_if", "n: int", "Return true if a given number is prime, and false otherwise.", (1,), False, True),
    ("true_if", "n", "Write a function that takes an integer n and returns True if n is divisible by 3 and False "
    "otherwise.", (4,), False, True),
    ("true_if", NUMBERS, "Returns True if there are two distinct elements in the list that sum to zero.", ([1, -1],),
    True, False),
    ("true_is", TEXT, "Check whether the string is a palindrome.", ("aba",), True, False),
    ("true_is", NUMBERS, "Return whether the list is sorted in ascending order.", ([2, 1],), False, True),
    ("ordered", "n: int", "Return a sorted list of all the tickets below n.", (5,), [1, 2], [2, 1]),
    ("result_order", "n: int", "The returned list must be sorted in descending order.", (5,), [2, 1], [1, 2]),
    ("ordered_by_key", "users: list[dict]", "Return the users sorted by `created_at`, newest first.", ([],),
    [{"created_at": 2}, {"created_at": 1}], [{"created_at": 1}, {"created_at": 2}]),
    ("rounded", NUMBERS, "Return the strange mean of the values rounded to two decimals.", ([1],), 0.25, 0.255),
    ("same_length", NUMBERS, "Return a list of the same length as xs that tells how rare each one is.", ([1, 2],), [0,
    0], [0]),
    ("length_is", "n: int", "Return a list of length n filled with tokens.", (2,), [0, 0], [0]),
    ("permutation", NUMBERS, "Return a copy of the given list after shuffling.", ([1, 2],), [2, 1], [2, 2]),
    ("reordered", TEXTS, "Sort the list by length.", (["a", "b"],), ["b", "a"], ["b"]),
    ("subset", TEXTS, "Return a list of the strings in words that rhyme.", (["a", "b"],), ["b"], ["c"]),
    ("one_of_the_items", TEXTS, "Return the word with the most unusual spelling.", (["a", "b"],), "b", "c"),
    ("within", "s: str", "Return a number between 0 and 1 that tells how similar they are.", ("a",), 0.5, 2),
    ("sign", "s: str", "Return a non-negative integer.", ("a",), 0, -1),
    ("counted", TEXT, "Return the number of curious letters in s.", ("ab",), 2, 3),
    ("counted", TEXTS, "Count the curious words in the list.", (["ab"],), 1, 2),
    ("counted", TEXTS, "Return the total number of characters in words.", (["ab"],), 2, -1),
    ("counted", NUMBERS, "Return the number of curious elements in xs.", ([1],), 1, 2),
    ("distinct", NUMBERS, "Return a list without duplicates.", ([1],), [1, 2], [1, 1]),
    ("idempotent", TEXT, "This function is idempotent.", ("a",), "", ""),
    ("inverse", TEXT, "Takes as input a string encoded with encode. Returns the decoded string.", ("a",), "", ""),
    ("idempotent", TEXT, "Do it. Applying it twice has the same effect. Calling it again changes nothing.", ("a",), "",
    ""),
    ("symmetric", "a: str, b: str", "The distance is the same in both directions.", ("a", "b"), "", ""),
    ("symmetric", "a: str, b: str", "The order of the arguments does not matter.", ("a", "b"), "", ""),
    (EQUATION, TEXT, "This function is idempotent: f(f(s)) == f(s).", ("a",), "", ""),
    (EQUATION, "a: str, b: str", "The result is what it is. f(a, b) == f(b, a).", ("a", "b"), "", ""),
    (EQUATION, TEXT, "Write it down. `f(f(s))` gives `s` back for every non-empty string.", ("a",), "", ""),
    (EQUATION, TEXT, "f(f(number)) == number for every whole number.", ("a",), "", ""),
    ("result_between", "low: int, high: int", "The result is between low and high, both inclusive.", (1, 3), 3, 4),
    ("result_between", NUMBERS, "Each element of the result lies between 0 and 1.", ([],), [0, 0.5], [2]),
    ("result_sign", NUMBERS, "The result is never negative.", ([],), 0, -1),
    ("result_sign", NUMBERS, "The returned value must always be positive.", ([],), 1, 0),
    ("result_sign", NUMBERS, "All elements of the returned list are non-negative.", ([],), [0], [1, -1]),
    ("result_bound", "n: int", "The result is never greater than n.", (3,), 3, 4),
    ("result_bound", "n: int", "The output is at least 2.", (3,), 2, 1),
    ("result_between", NUMBERS, "The result is between 1 and 2, or 0 if xs is empty.", ([5],), 1, 0),
    ("result_bound", NUMBERS, "The result is at most 5, otherwise -1.", ([],), 5, 6),
    ("result_inside", NUMBERS, "0 <= result < len(xs).", ([1, 2],), 1, 2),
    ("result_item", NUMBERS, "The result is an element of xs.", ([1, 2],), 2, 3),
    ("result_order", NUMBERS, "The result is sorted in ascending order.", ([],), [1, 2], [2, 1]),
    ("result_order", NUMBERS, "Returns a list that is sorted in descending order.", ([],), [2, 1], [1, 2]),
    ("result_order", "points: dict", "Return the points of all. The points are sorted in descending order.",
    ({},), [2, 1], [1, 2]),
    ("result_length", TEXTS, "The result has the same length as words.", (["a"],), ["b"], []),
    ("result_length", TEXTS, "The returned list must have as many elements as words.", (["a"],), ["b"], []),
    ("result_length", TEXT, "The result is never longer than s.", ("ab",), "a", "abc"),
    ("result_length", TEXTS, "Change them.\n\nReturns:\n    The words. It has the same length as words.", (["a"],),
    ["b"], []),
    ("result_size", "n: int", "The result has at most n elements.", (2,), [1, 2], [1, 2, 3]),
    ("result_permutation", NUMBERS, "The result is a permutation of xs.", ([1, 1],), [1, 1], [1]),
    ("result_permutation", NUMBERS, "The returned list contains exactly the same elements as xs.", ([1, 2],), [2, 1],
    [2, 2]),
    ("result_part", NUMBERS, "The result is a subsequence of xs.", ([1, 2],), [1, 2], [2, 1]),
    ("result_part", NUMBERS, "The result is a subset of xs.", ([1, 2],), [2, 1], [3]),
    ("result_members", TEXTS, "Every element of the result is in words.", (["a", "b"],), ["b"], ["c"]),
    ("result_members", TEXTS, "No element of the result is in words.", (["a", "b"],), ["c"], ["b"]),
    ("result_members", TEXTS, "The result contains only elements of words.", (["a", "b"],), ["b"], ["c"]),
    ("result_distinct", TEXTS, "The result contains no duplicates.", ([],), ["a"], ["a", "a"]),
    ("result_distinct", TEXTS, "No element occurs more than once in the result.", ([],), ["a"], ["a", "a"]),
    ("result_distinct", TEXTS, "Returns a list with no duplicates.", ([],), ["a"], ["a", "a"]),
    ("result_distinct", TEXTS, "No two elements of the result are equal.", ([],), ["a"], ["a", "a"]),
    ("result_rounded", NUMBERS, "Every price of the result is rounded to two decimals.", ([],), [0.25], [0.255]),
    ("result_rounded", NUMBERS, "The result is rounded to 1 decimal.", ([],), {"a": 0.5}, {"a": 0.25}),
    ("result_one_of", TEXT, 'The result is one of "low", "High" and "no, never".', ("",), "High", "high"),
    ("result_one_of", TEXT, "Returns either -1 or 1.", ("",), -1, 0),
    (SENTINEL, "xs: list[int], wanted: int", "Returns -1 if wanted is not in xs.", ([1], 2), -1, 0),
    (SENTINEL, "xs: list[int], wanted: int", "Returns 0 if xs does not contain wanted.", ([1], 2), 0, -1),
    (SENTINEL, NUMBERS, "Return None if the list is empty.", ([],), None, 0),
    (SENTINEL, NUMBERS, "Do something odd. If xs is empty, the function should return an empty list.", ([],), [], None),
    (SENTINEL, "n: int, m: int", "If n is greater than m, return -1.", (2, 1), -1, 0),
    (SENTINEL, TEXT, 'Return "none" for an empty string.', ("",), "none", ""),
    (SENTINEL, "n: int, x: int, y: int", "Return the value of x if n is even, otherwise the value of y.", (3, 1, 2), 2,
    1),
    ("one_of_two", TEXTS, 'Return "YES" if it is possible, otherwise return "NO".', (["a"],), "NO", "MAYBE"),
)  # fmt: skip

# parameters, documentation that says nothing definite, or something that only sounds like a form
LEFT_ALONE: tuple[tuple[str, str], ...] = (
    (NUMBERS, "Return the sum of all numbers in the list. Ignore negative ones."),
    (NUMBERS, "Return the sum of all interesting numbers in the list."),
    (NUMBERS, "Return the sum of the first k numbers in the list."),
    (NUMBERS, "Return the product of the unit digits of the numbers."),
    (NUMBERS, "Sum things up."),
    (NUMBERS, "Return the sum of xs unless xs is sorted."),
    ("xs: list[int], ys: list[int]", "Return the sum of all numbers in the list."),
    (NUMBERS, "Return the largest prime-looking element in the list."),
    (NUMBERS, "Return the largest number in the list. Then double it before returning."),
    (NUMBERS, "Return the largest number in the list. Return the smallest number in the list."),
    (NUMBERS, "Return the number of inversions."),
    (NUMBERS, "Return the number that is missing from the list."),
    (TEXT, "Return the length of the longest word in the string."),
    (TEXT, "Return the number of words that rhyme."),
    (TEXT, "Return the reverse of each word in the string."),
    (TEXT, "Convert the string to uppercase except for vowels."),
    (TEXTS, "Concatenate the list of strings, in reverse order, into a single string."),
    (TEXTS, "Return the longest common prefix of the strings."),
    (NUMBERS, "Return the median of medians."),
    (NUMBERS, "Return positive numbers doubled."),
    (NUMBERS, "Return a list of strings in sorted chunks."),
    (NUMBERS, "Remove some negative numbers from somewhere."),
    (NUMBERS, "Remove every second element from the list."),
    (NUMBERS, "Sort the list by some key and remove the duplicates."),
    (NUMBERS, "Return sorted groups of the elements."),
    (NUMBERS, "Return the average of the numbers, weighted by position."),
    ("n: int", "Return the factorial of the number of digits of n."),
    ("n: int", "Return a tuple that has the number of even and odd palindromes below n."),
    (NUMBERS, "Return a pair of the number of elements and the number of even numbers in xs."),
    ("xs: list[int], ys: list[int]", "Return a tuple with the number of even and odd numbers in xs and in ys."),
    (NUMBERS, "Return the sum of the first few elements of the list."),
    (NUMBERS, "Return the sum of the first half of the list."),
    (NUMBERS, "Return the sum of the numbers in the list with at most two digits."),
    ("a: int, b: int, c: int", "Return True if the sides form a right triangle with the hypotenuse c."),
    ("a: int, b: int, c: int", "Return True if the sides form a right triangle.\n\nThe third is the hypotenuse."),
    ("a: int, b: int, hypotenuse: int", "Return True if the three sides form a right triangle."),
    ("a: int, b: int, c: int, d: int", "Return True if the sides form a right triangle."),
    ("a: int, b: int, c: int", "Return True if a and b form a right triangle with c."),
    ("n: int", "Return True if n is the product of two primes below 100."),
    ("n: int", "Return the sum of the digits of n in base 7."),
    ("n: int", "Return the n-th Tribonacci number."),
    ("n: int", "Return the n-th number that is a Fibonacci number and prime."),
    ("a: int, b: int", "Return the greatest common divisor of a, b and 12."),
    ("a: int, b: int", "Add two numbers without using plus, modulo 7."),
    ("n: int", "Return the largest prime factor of n plus one."),
    ("x: int, n: int", "Return x raised to the power of n modulo 7."),
    (NUMBERS, "If the list is long, return a short one."),
    (NUMBERS, "Return the default if nothing is found."),
    (NUMBERS, "Return None when appropriate."),
    (TEXT, "Returns the string with vowels."),
    (TEXT, "See also sorted lists. The list is sorted in place by the caller."),
    (NUMBERS, "The given list is sorted in ascending order."),
    (NUMBERS, "Assumes that xs is sorted in descending order."),
    (NUMBERS, "Fast. Uses sorted lists inside."),
    (NUMBERS, "Args:\n    xs: a sorted list of positive numbers, return the sum of the numbers in the list."),
    (NUMBERS, "Raises:\n    ValueError: return None if the list is empty."),
    (NUMBERS, "Return a copy of xs, rounded to the given places."),
    (NUMBERS, "Return the number of dimensions in xs."),
    (NUMBERS, "Generates values by drawing from somewhere."),
    (NUMBERS, "The items that were removed from the cache."),
    (
        TEXT,
        "This decorator makes a function that is not expensive or surprising on calls; it is idempotent on weekdays.",
    ),
    (TEXT, "Inverse of nothing in particular that has a name."),
    (TEXT, 'Returns "gone" if it went, "there" if it stays, otherwise None.'),
    (TEXT, "Return True if the object will fly, and False otherwise."),
    (NUMBERS, "The result is between 0 and 100, except when the battery is missing: then it is -1."),
    (NUMBERS, "The result is between 0 and 1, exclusive."),
    (NUMBERS, "The result is never negative unless xs is."),
    (NUMBERS, "The result is between 1 and 5 digits."),
    (NUMBERS, "Rate it.\n\nReturns:\n    Between 1 and 5 words, or None."),
    (NUMBERS, "Rate it.\n\nReturns:\n    Between 0 and 1, or something else if it is late."),
    (NUMBERS, "Rate it.\n\nReturns:\n    The number of values, between 0 and 1."),
    (NUMBERS, "Rate it.\n\nReturns:\n    The mean, weighted, between 0 and 1."),
    (NUMBERS, "Rate it.\n\nReturns:\n    The share, between 0 and 1 where known."),
    (NUMBERS, "Rate it.\n\nReturns:\n    The sum of the values x, 0 <= x < 5."),
    ("k: int", "Rate it.\n\nReturns:\n    The place k, 0 <= k < 5."),
    ("result: int", "0 <= result < 5."),
    (NUMBERS, "Pick.\n\nReturns:\n    An element of xs plus one."),
    (TEXT, "Pick.\n\nReturns:\n    One of the characters of s."),
    (NUMBERS, "The result is usually positive."),
    (NUMBERS, "The result of the last call is never negative."),
    (NUMBERS, "The result is sorted by time in ascending order."),
    (NUMBERS, "The result is not sorted."),
    (NUMBERS, "Return the xs that were seen. The xs are sorted in ascending order."),
    (NUMBERS, "It is never negative."),
    (NUMBERS, "The result has the same length as the longest word."),
    (NUMBERS, "The result has the same length as xs if nothing is dropped."),
    (NUMBERS, "The result has at most a few elements."),
    (NUMBERS, "The result is a permutation of xs without its first element."),
    (TEXTS, "Every element of the result is in words or a synonym."),
    (TEXTS, "Every element of the result is in upper case."),
    (TEXTS, "Each element of words is in the result."),
    (TEXTS, "No two contacts of the result have the same name."),
    (TEXTS, "The result contains no duplicates of stop words."),
    (TEXT, "The result is one of the usual words."),
    (TEXT, "Rate it.\n\nReturns:\n    int: Positive or zero, as it comes."),
    (TEXT, "Rate it.\n\nReturns\n-------\nlow : int\n    Always positive.\nhigh : int\n    At most 9."),
    (TEXT, "f(f(s)) == s if s is short."),
    (TEXT, "f(f(s)) == s for every good string."),
    (TEXT, "It is not true that f(f(s)) == s."),
    (TEXT, "f(g(s)) == s."),
    (TEXT, "f(f(other)) == s."),
    ("a: str, b: int", "The order of the arguments does not matter."),
    ("xs: list[int], wanted: int", "Returns -1 if wanted is not in order."),
    (TEXT, ""),
)


def read(parameters: str, document: str, extra: str = "") -> tuple[Property, ...]:
    """Return the properties of a function ``f`` with this documentation."""
    body = "\n    ".join(document.split("\n"))
    source = f'{extra}def f({parameters}):\n    """{body}\n    """\n    return something\n'
    return next(each for each in extract_module(source).functions if each.qualname == "f").properties


def truth(expression: str, values: dict[str, object]) -> bool:
    """Evaluate a condition as the clerk does."""
    offered = {"math": math, "itertools": itertools, "collections": collections, "__builtins__": builtins}
    return bool(eval(expression, {**offered, **values}))


@pytest.mark.parametrize("row", READ, ids=lambda row: f"{row[0]}: {row[2][:50]}")
def test_an_explicit_sentence_is_read_as_what_it_says(
    row: tuple[str, str, str, tuple[object, ...], object, object],
) -> None:
    form, parameters, document, arguments, right, wrong = row
    found = [each for each in read(parameters, document) if each.form == form]
    assert found, [each.form for each in read(parameters, document)]
    if form in {"inverse", "idempotent", "symmetric", EQUATION}:
        return
    names = [part.split(":")[0].strip() for part in parameters.replace("list[int]", "l").split(",")]
    values = dict(zip(names, arguments, strict=True))
    due = [each for each in found if truth(each.condition, values)]
    assert due, found[0].condition
    after = {f"{name}__after": value for name, value in values.items()}
    assert all(truth(each.expression, {**values, **after, "result": right}) for each in due)
    assert not all(truth(each.expression, {**values, **after, "result": wrong}) for each in due)


@pytest.mark.parametrize(("parameters", "document"), LEFT_ALONE, ids=lambda text: text[:60])
def test_what_only_sounds_like_a_form_is_left_alone(parameters: str, document: str) -> None:
    assert [(each.form, each.expression) for each in read(parameters, document)] == []


def test_every_form_has_a_row() -> None:
    assert {row[0] for row in READ} == {each.name for each in FORMS} | {SENTINEL, EQUATION, "one_of_two"}


def test_names_of_forms_are_distinct() -> None:
    names = [each.name for each in FORMS]
    assert len(names) == len(set(names))


def test_an_exception_takes_its_calls_out_of_the_definition() -> None:
    found = {
        each.form: each for each in read(NUMBERS, "Return the maximum of the list. Return 0 if the list is empty.")
    }
    assert truth(found[SENTINEL].condition, {"xs": []})
    assert not truth(found["extreme"].condition, {"xs": []})


def test_a_fixed_result_whose_condition_cannot_be_read_stays_possible() -> None:
    [found] = [
        each for each in read(NUMBERS, "Return the largest even number in the list, or -1 if there is no luck.")
        if each.form == "extreme"
    ]  # fmt: skip
    assert truth(found.expression, {"xs": [2], "result": -1})
    assert not truth(found.expression, {"xs": [2], "result": -2})


@pytest.mark.parametrize(
    ("parameters", "document", "argument", "result"),
    [
        (TEXTS, "Return the total number of characters in words.", ["aa"], 2),
        (TEXTS, "Count the vowels in words.", ["aa"], 2),
        (NUMBERS, "Return the number of digits in xs.", [12], 2),
        ("lines: list[str]", "Count the words in the lines.", ["a b"], 2),
        ("lines: list[str]", "Count the curious words in lines.", ["a b"], 2),
        ("orders: list[dict]", "Return the number of items in orders.", [{"a": 1, "b": 2}], 2),
        ("grid: list[list]", "Return the number of elements in the grid.", [[1, 2]], 2),
        ("grid: list[list[int]]", "Return the number of curious elements in grid.", [[1, 2]], 2),
        ("cart: list[tuple]", "Return the total number of items in the cart.", [("a", 2)], 2),
        ("cart", "Count the items in the list cart.", [("a", 2)], 2),
        (TEXT, "Return the total number of curious letters in s.", "a", 2),
    ],
)
def test_parts_of_what_a_list_holds_are_not_bound_by_its_length(
    parameters: str, document: str, argument: object, result: int
) -> None:
    name = parameters.split(":", maxsplit=1)[0]
    values: dict[str, object] = {name: argument, f"{name}__after": argument, "result": result}
    due = [each for each in read(parameters, document) if truth(each.condition, values)]
    assert [each.form for each in due if not truth(each.expression, values)] == []


def test_the_place_and_the_words_of_a_sentence_are_kept() -> None:
    [found] = read(NUMBERS, "A tool.\n\nReturn the sum of\nthe numbers.")
    assert found.text == "Return the sum of the numbers."
    assert (found.span.line, found.span.end_line) == (4, 5)


def test_a_section_of_the_result_is_read() -> None:
    google = "Help people.\n\nArgs:\n    xs: numbers.\n\nReturns:\n    int: The sum of the numbers."
    numpy = "Help people.\n\nReturns\n-------\nThe sum of the numbers."
    sphinx = "Help people.\n\n:param xs: numbers\n:return: the sum of the numbers"
    assert [[each.form for each in read(NUMBERS, text)] for text in (google, numpy, sphinx)] == [["sum"]] * 3


def test_examples_are_no_sentences() -> None:
    document = "Help.\n\n>>> f([1])\n'Return the sum of the numbers'\n\nExamples:\n    Return the sum of the numbers."
    assert read(NUMBERS, document) == ()


def test_a_contract_in_plain_text_is_read_with_its_source() -> None:
    [function] = extract_module("def f(xs: list[int]):\n    return 1\n").functions
    [found] = extract_contract("Return the sum of the numbers in the list.", function).properties
    assert (found.form, found.source, found.id) == ("sum", "contract", "p1")


def test_words_for_the_types_of_arguments_guide_generated_inputs() -> None:
    source = 'def f(words, n):\n    """Given a list of strings words and an integer n, do it."""\n    return 1\n'
    [function] = extract_module(source).functions
    assert [each.described for each in function.parameters] == ["list[str]", "int"]


@pytest.mark.parametrize("piece", ["return the sum of ", "the list of ", "if it is, ", "a, b and ", "true if all "])
def test_long_sentences_cost_no_more_than_their_length(piece: str) -> None:
    assert read(NUMBERS, ("Return true if " + piece * 200)[:3000] + ".") == ()


def test_the_reference_lists_every_form() -> None:
    text = (Path(__file__).parents[2] / "docs/reference/sentence-forms.md").read_text(encoding="utf-8")
    for each in FORMS:
        assert f"| {each.name} | {each.says} | {each.example} |" in text


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_sentence_that_a_form_shows_is_matched_by_its_pattern(form: Form) -> None:
    if form.of_result:
        assert [True for each in said_of_result(form.example.rstrip(".")) if form.pattern.fullmatch(each)]
        return
    scene = Scene("f", (), {}, {})
    core = core_of(without_introduction(scene, form.example.rstrip(".").split(". ")[0]))
    assert form.pattern.fullmatch(core) or form.pattern.fullmatch(without_article(core))
