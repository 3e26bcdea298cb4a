"""Financial figures: present value, rates of return with their count, interest, payments and rounding of money."""
