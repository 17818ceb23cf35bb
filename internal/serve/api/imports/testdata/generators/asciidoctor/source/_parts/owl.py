import wings
# tag::hoot[]
def hoot():
    print("hoo") # <1>
    return 1 # <2>
# end::hoot[]
# tag::fly[]
def fly():
    return wings
# end::fly[]
