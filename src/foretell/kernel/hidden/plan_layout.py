"""The index of each word in the plan by which hidden hands are dealt, used as `plan[in_plan.UNSEEN]`.

`plan_arrays` writes a plan, `redealing` follows it.  A plan begins with a head; then each case of the `Knowledge` has a
record.  A word whose name ends in `_AT` says where a list begins in the plan (in the array `ways` where noted).  In the
lists of a record, a card is its place in the list CARDS, and a class of hands is its number.
"""

__all__: list[str] = []

# The head.
CASES = 0  # how many cases there are
UNSEEN = 1  # how many cards are unseen
STOCK = 2  # the owner of a card in the stock; smaller numbers are seats
HIDDEN_SEATS = 3  # how many hands are hidden
HIDDEN_SEATS_AT = 4
KINDS_AT = 5  # the kind of each unseen card
CASE_ODDS_AT = 6  # in `ways`: the chance that the case is this one or an earlier one
RECORDS_AT = 7  # from this word on: where the record of each case begins

# A record.
(
    CLASSES,  # how many classes there are besides the free class, which comes last
    CARDS,  # the cards to be dealt: places among the unseen cards
    CARDS_AT,
    # Step 1: a class draws from a stretch of cards.
    DRAWS,
    DRAWS_AT,
    # Step 2: cards that only some classes may hold, given away by counting.
    RESTRICTED,
    RESTRICTED_AT,
    COUNTED,  # the classes that take part in step 2
    COUNTED_AT,
    SHORTFALLS,  # how many combinations of cards lacking there are, see `redealing`
    WAYS_AT,  # in `ways`: for each restricted card and each shortfall, the ways to deal the rest
    WEIGHTS_AT,  # in `ways`: for each restricted card, the odds of each counted class and of the free class; -1: all 1
    # Step 3: a stretch of cards that every class may hold, and cards that only the free class may hold.
    ANYONE_START,
    ANYONE_COUNT,
    FREE_ONLY,
    FREE_ONLY_AT,
    FREE_IS_TOGETHER,  # 1 where the cards of the free class stand side by side after the others have drawn
    # The hands: for each class, and last for the free class, how many slots it has and where their list is.
    SPLITS_AT,
    # What must be true in the end.
    NEEDS,
    NEEDS_AT,
    HELD,  # cards whose seat is certain
    HELD_AT,
    # Dealing at random until a deal fits: the slots, or 0 where this is not the quicker way.
    TRIAL_SLOTS,
    TRIAL_SLOTS_AT,
    RECORD_SIZE,
) = range(25)

# The entries of the lists, and how many words each entry has.
DRAW_CLASS, DRAW_START, DRAW_LENGTH, DRAW_COUNT, DRAW_WORDS = range(5)
RESTRICTED_CARD, RESTRICTED_MASK, RESTRICTED_WORDS = range(3)
COUNTED_CLASS, COUNTED_SIZE, COUNTED_STRIDE, COUNTED_WORDS = range(4)
SPLIT_SLOTS, SPLIT_AT, SPLIT_WORDS = range(3)
SLOT_SEAT, SLOT_SIZE, SLOT_WORDS = range(3)
NEED_SEAT, NEED_KINDS, NEED_WORDS = range(3)
HELD_SEAT, HELD_KIND, HELD_WORDS = range(3)
TRIAL_SEAT, TRIAL_SIZE, TRIAL_BARRED, TRIAL_WORDS = range(4)

# RESTRICTED_MASK says which classes may hold the card: bit 0 is the first class of the list COUNTED, and so on.
FREE_BIT = 15  # the bit of the free class
MOST_CLASSES = 14
