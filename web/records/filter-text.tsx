import { useQueries, useQuery } from '@tanstack/react-query'
import type { ModelName } from '../data/client.ts'
import { oneQuery } from '../data/queries.ts'
import { mayDo, useMe } from '../data/session.ts'
import { nameOrId } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import { drawnFieldsQuery, type Fields } from './fields.ts'
import { filterLine, filterLines, linksOf } from './filter-words.ts'
import { titleOf } from './record-title.ts'
import classes from './records.module.css'
import type { Query } from './views.ts'

const NO_FIELDS: Fields = {}

/** The filter of a saved view, a line for each part. */
export function FilterText({ model, query }: { model: string; query: Query }) {
  const say = useWords('filters')
  const me = useMe()
  const { data: fields = NO_FIELDS } = useQuery({ ...drawnFieldsQuery(model), enabled: mayDo(me, model, 'r') })
  const lines = filterLines(query, useKnown(query, fields))
  if (lines.length === 0) return <>{say('none')}</>
  return lines.map((line) => (
    <span key={line} className={classes.line}>
      {line}
    </span>
  ))
}

/** A filter of a list by its name, in words. */
export function useFilterLabel(query: Query): (name: string) => string {
  const known = useKnown(query, NO_FIELDS)
  return (name) => filterLine(name, query[name], known)
}

/** The words of the lists, and what the records are called that a filter names, as far as one may read them. */
function useKnown(query: Query, fields: Fields) {
  const me = useMe()
  const says = {
    calls: useWords('calls'),
    contacts: useWords('contacts'),
    tickets: useWords('tickets'),
    filters: useWords('filters'),
    records: useWords('records'),
  }
  const links = linksOf(query, fields)
  const names = useQueries({
    queries: links.map(({ model, id }) => ({
      ...oneQuery(model as ModelName, id, ['display_name']),
      enabled: mayDo(me, model, 'r'),
    })),
  })
  const nameOf = (model: string, id: number): string => {
    const { data, isFetching = false } = names[links.findIndex((each) => each.model === model && each.id === id)] ?? {}
    return nameOrId(data && titleOf(model, data.display_name ?? ''), id, isFetching)
  }
  return { says, fields, nameOf }
}
