import { type CSSProperties, type MouseEvent, memo, type ReactNode } from 'react'
import classes from './records.module.css'
import type { Touches } from './touch-choice.ts'

interface Column<Item> {
  id: string
  label: string
  /** A track of a CSS grid. */
  width: string
  isHiddenNarrow?: boolean
  /** How the list is sorted by it, and what another press does; none where it cannot be. */
  sort?: { direction: 'ascending' | 'descending' | 'none'; onSort: () => void } | undefined
  cell: (item: Item) => ReactNode
}
export type Columns<Item> = readonly Column<Item>[]

interface Props<Item> {
  item: Item
  index: number
  /** Where it begins and how high it is, in pixels. */
  start: number
  size: number
  columns: Columns<Item>
  /** It is being read. */
  isThin: boolean
  isFocused: boolean
  /** Undefined where rows cannot be chosen. */
  isSelected: boolean | undefined
  /** Why it is dimmed, where it is. */
  unfit: string | undefined
  touches: (item: Item) => Touches
  onPress: (event: MouseEvent, item: Item) => void
  onFocus: (index: number) => void
}

/** As a variable, so that narrow screens can lay a row out as a card. */
export function tracksOf(columns: readonly { width: string }[]): CSSProperties {
  return { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties
}

function Row<Item>(props: Props<Item>) {
  const { item, index, start, size, columns, isThin, isFocused, isSelected, unfit, touches, onPress, onFocus } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      aria-selected={isSelected}
      aria-busy={isThin || undefined}
      tabIndex={isFocused ? 0 : -1}
      className={classes.row}
      data-unfit={unfit === undefined ? undefined : true}
      title={unfit}
      style={{ ...tracksOf(columns), height: size, transform: `translateY(${start}px)` }}
      {...touches(item)}
      onClick={(event) => onPress(event, item)}
      onFocus={() => onFocus(index)}
      onKeyDown={undefined}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          tabIndex={-1}
          className={classes.cell}
          data-narrow={column.isHiddenNarrow ? 'hidden' : undefined}
        >
          {isThin ? null : column.cell(item)}
        </div>
      ))}
    </div>
  )
}

/** One row; drawn anew only when something of it changes, or a held key would draw all of them for each step. */
export const ListRow = memo(Row) as typeof Row
