"""How dice games with a scorecard work: lines, scorecards, rolls, turns, policies and their exact values."""
