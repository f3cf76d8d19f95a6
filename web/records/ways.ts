/** Where the records of a model are listed and shown: among all data, or where a room has them as its own. */
import { createContext, useContext } from 'react'

interface Ways {
  list: string
  one: (id: number) => string
  /** Where a record is looked at, when it is edited elsewhere. */
  shown?: string
}

const WaysContext = createContext<Ways | undefined>(undefined)
export const WaysPlace = WaysContext.Provider

/** The ways of the room that the page is in. */
export function useWays(model: string): Ways {
  return useContext(WaysContext) ?? { list: `/records/${model}`, one: (id) => `/records/${model}/${id}` }
}
