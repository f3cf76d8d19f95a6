import { fetched } from '../data/code.ts'
import { later } from '../design/later.tsx'
import { keepKeys } from './early-keys.ts'

const code = () => import('./search-box.tsx')
const box = later(async () => (await code()).SearchBox)

/** What `/` opens. */
export const SearchBox = box.Later

export function openSearch(): void {
  box.fetch()
  // Somebody types on at once, before the box can be typed into.
  const typed = keepKeys()
  void fetched(code).then(({ openBox }) => openBox(typed))
}
