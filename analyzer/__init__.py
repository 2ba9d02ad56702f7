"""Strategy analyzer for dice and card games of chance."""
