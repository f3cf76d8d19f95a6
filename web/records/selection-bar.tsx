import type { ReactNode } from 'react'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { ExportButton, type FileOf } from './export-button.tsx'
import classes from './records.module.css'
import { chosenDomain, countChosen, type Selection } from './selection.ts'

interface Props extends FileOf {
  selection: Selection
  /** How many fit, counted as far as lists are. */
  total: number
  /** What else can be done with the chosen ones. */
  children?: ReactNode
}

/** How many rows are chosen, and what can be done with them. */
export function SelectionBar({ selection, total, children, ...file }: Props) {
  const say = useWords('records')
  const count = countChosen(selection, total)
  return (
    <span className={classes.chosen}>
      <span role="status">{count === 0 ? '' : say('chosen', { count, shown: formats.count(count) })}</span>
      {count === 0 ? <span className={classes.touchHint}>{say('holdToChoose')}</span> : null}
      <ExportButton {...file} domain={chosenDomain(selection, file.domain)} count={count} />
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
