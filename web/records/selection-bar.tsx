import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '../data/client.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { formats, useWords } from '../words/words.ts'
import { EXPORT_ROWS_MAX, exportAll } from './export-all.ts'
import classes from './records.module.css'
import { chosenDomain, countChosen, type Selection } from './selection.ts'

interface Props {
  model: string
  /** Columns of the file. */
  fields: readonly string[]
  domain: Domain
  selection: Selection
  /** How many fit, counted as far as lists are. */
  total: number
  /** What else can be done with the chosen ones. */
  children?: ReactNode
}

/** How many rows are chosen, and what can be done with them. */
export function SelectionBar({ model, fields, domain, selection, total, children }: Props) {
  const say = useWords('records')
  const queries = useQueryClient()
  const count = countChosen(selection, total)
  const save = useMutation({
    mutationFn: () => exportAll(queries, { model, fields, domain: chosenDomain(selection, domain) }),
    onSuccess: (rows) =>
      tellDone(
        rows < EXPORT_ROWS_MAX
          ? say('exported', { count: rows, shown: formats.count(rows) })
          : say('exportedFirst', { shown: formats.count(rows) }),
      ),
    onError: tellRefusal,
  })
  return (
    <span className={classes.chosen}>
      <span role="status">{count === 0 ? '' : say('chosen', { count, shown: formats.count(count) })}</span>
      {count === 0 ? <span className={classes.touchHint}>{say('holdToChoose')}</span> : null}
      <Button variant="subtle" size="compact-sm" loading={save.isPending} onClick={() => save.mutate()}>
        {count === 0 ? say('export') : say('exportSelected', { count })}
      </Button>
      {count === 0 ? null : children}
      {selection.isAll && selection.ids.size === 0 ? null : (
        <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>
          {say('chooseAll')}
        </Button>
      )}
      {count === 0 ? null : (
        <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
          {say('chooseNone')}
        </Button>
      )}
    </span>
  )
}
