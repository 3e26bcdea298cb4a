"""Statistics of given data: means, quantiles, modes, correlation and regression, on exact fractions."""
