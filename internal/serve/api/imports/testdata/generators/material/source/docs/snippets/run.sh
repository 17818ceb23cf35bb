owl feed
