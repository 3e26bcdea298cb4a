"""Claims whose truth is known by construction, made without the engines that decide them."""
