import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '../data/client.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { Button } from '../design/press.tsx'
import { formats, reader, useWords } from '../words/words.ts'
import { EXPORT_ROWS_MAX, exportAll, type OwnColumns } from './export-all.ts'
import classes from './records.module.css'
import { chosenDomain, countChosen, type Selection } from './selection.ts'

interface Props {
  model: string
  /** Columns of the file, and what is read for them. */
  fields: readonly string[]
  columns?: OwnColumns | undefined
  domain: Domain
  /** That of the list. */
  order?: string | undefined
  /** What the list calls the name of its records. */
  nameLabel?: string | undefined
  selection: Selection
  /** How many fit, counted as far as lists are. */
  total: number
  /** What else can be done with the chosen ones. */
  children?: ReactNode
}

/** How many rows are chosen, and what can be done with them. */
export function SelectionBar(props: Props) {
  const { model, fields, columns, domain, order, nameLabel, selection, total, children } = props
  const say = useWords('records')
  const queries = useQueryClient()
  const count = countChosen(selection, total)
  const save = async (): Promise<void> => {
    try {
      const { zone, language } = reader()
      const manner = { zone, language, yes: say('yes'), no: say('no') }
      const fitting = chosenDomain(selection, domain)
      const rows = await exportAll(queries, { model, nameLabel, fields, columns, domain: fitting, order, manner })
      tellDone(
        rows < EXPORT_ROWS_MAX
          ? say('exported', { count: rows, shown: formats.count(rows) })
          : say('exportedFirst', { shown: formats.count(rows) }),
      )
    } catch (error) {
      tellRefusal(error)
    }
  }
  return (
    <span className={classes.chosen}>
      <span role="status">{count === 0 ? '' : say('chosen', { count, shown: formats.count(count) })}</span>
      {count === 0 ? <span className={classes.touchHint}>{say('holdToChoose')}</span> : null}
      <Button variant="subtle" size="compact-sm" onClick={save}>
        {count === 0 ? say('export') : say('exportSelected', { count })}
      </Button>
      {count === 0 ? null : children}
      {selection.isAll && selection.ids.size === 0 ? null : (
        <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>
          {say('chooseAll', { count: total, shown: formats.count(total) })}
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
