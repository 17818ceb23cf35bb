print("hoo")
