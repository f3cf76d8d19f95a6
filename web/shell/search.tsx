import { fetched } from '../data/code.ts'
import { later } from '../design/later.tsx'

const code = () => import('./search-box.tsx')
const box = later(async () => (await code()).SearchBox)

/** What `/` opens. */
export const SearchBox = box.Later

export function openSearch(): void {
  box.fetch()
  void fetched(code).then(({ openBox }) => openBox())
}
