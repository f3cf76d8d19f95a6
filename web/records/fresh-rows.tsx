import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { asks } from '../data/keys.ts'
import { newsKey, noNews } from '../data/patch-pages.ts'
import { formats, useWords } from '../words/words.ts'
import classes from './records.module.css'

/** What became of a list since it was loaded, and how it is loaded anew. */
export function useListNews(key: QueryKey) {
  const queries = useQueryClient()
  const { data: news = noNews() } = useQuery(asks({ queryKey: newsKey(key), queryFn: noNews, enabled: false }))
  const loadAnew = async () => {
    // The first page alone: anyone who scrolled on begins at the top again.
    await queries.resetQueries({ queryKey: key, exact: true })
    queries.setQueryData(newsKey(key), noNews())
  }
  return { news, loadAnew }
}

/** New records wait here, so that nothing moves under the pointer. */
export function FreshRows({ count, onShow }: { count: number; onShow: () => void }) {
  const say = useWords('records')
  return (
    <button type="button" className={classes.fresh} onClick={onShow}>
      {say('freshRows', { count, shown: formats.count(count) })}
    </button>
  )
}
