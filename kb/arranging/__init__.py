"""From runs to an entry: factors, arms, load points, repeats, setup facts, proposed claims; nothing of it concluded.

`begin` makes a new record of result files, `taking` takes further results into one that is there.
"""
