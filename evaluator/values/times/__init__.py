"""Times: Timespan and Timestamp, their formats and time zones."""
