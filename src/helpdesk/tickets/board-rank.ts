/** Where a ticket stands in its stage, least first: where it was put, else by its age, the youngest on top. */
export const BOARD_RANK = 'coalesce(position, -(id::double precision))'
