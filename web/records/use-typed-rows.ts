import { useState } from 'react'
import { useFocusOfRows } from './use-focus-of-rows.ts'

interface TypedRows<Row> {
  /** The rows of the value, to begin with. */
  begin: () => readonly Row[]
  /** The rows as they were typed, or those of a value that was set elsewhere. */
  shown: (typed: readonly Row[]) => readonly Row[]
  onChange: (rows: readonly Row[]) => void
}

/** A value that is typed as rows. A row that was added is no part of the value before something is typed into it. */
export function useTypedRows<Row>({ begin, shown, onChange }: TypedRows<Row>) {
  const [typed, setTyped] = useState(begin)
  const rows = shown(typed)
  const { ref, focus } = useFocusOfRows()
  const change = (changed: readonly Row[]): void => {
    setTyped(changed)
    onChange(changed)
  }
  return {
    ...{ rows, ref, change },
    set: (at: number, row: Row): void => change(rows.map((each, nth) => (nth === at ? row : each))),
    add: (row: Row): void => {
      setTyped([...rows, row])
      focus('added')
    },
    remove: (at: number): void => {
      change(rows.filter((_row, nth) => nth !== at))
      focus('removed')
    },
  }
}
