# title: The order of a dict
# topic: dicts
# shows: Assigning to a key that exists keeps its place; deleting it and adding it again moves it
#   to the end. update, and a merge, take new keys in the order of the right side.


def raise_price(menu, dish):
    menu[dish] += 1


def move_to_end(menu, dish):
    price = menu.pop(dish)
    menu[dish] = price


def main():
    menu = {"soup": 4, "rice": 7, "tea": 2}
    raise_price(menu, "soup")
    move_to_end(menu, "rice")
    menu.update({"tea": 3, "cake": 6})
    joined = {"tea": 1, "bread": 2} | menu
    last = menu.popitem()
    return list(menu), list(joined), joined["tea"], last
