import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { rowPx } from '../design/density.ts'
import { useWords } from '../words/words.ts'
import classes from './records.module.css'

const NARROW_ROW_PX = 60
const OVERSCAN = 12
/** So close to the end the next page is asked for. */
const NEAR_END = 20
const NARROW = '(max-width: 47.99em)'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }
const NONE: readonly number[] = []

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
  label: string
  items: readonly Item[]
  columns: Columns<Item>
  onOpen: (item: Item) => void
  onNearEnd: () => void
  foot: ReactNode
  /** Space looks at a row without opening it. */
  onPeek?: ((item: Item) => void) | undefined
  /** `x` chooses a row and `X` all from the last one to this; so does a click with Ctrl or ⌘, and with Shift. */
  selected?: { has: (id: number) => boolean } | undefined
  onSelect?: ((item: Item, isRange: boolean) => void) | undefined
  /** Rows that fit the filter no more. */
  unfit?: readonly number[]
  above?: ReactNode
}

/** A list of any length: only rows in sight exist; arrows move, Enter opens. */
export function VirtualList<Item extends { id: number }>(props: Props<Item>) {
  const { label, items, columns, onNearEnd, foot, selected, unfit = NONE, above } = props
  const say = useWords('records')
  const box = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => (window.matchMedia(NARROW).matches ? NARROW_ROW_PX : rowPx()),
    overscan: OVERSCAN,
  })
  const shown = rows.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - NEAR_END) onNearEnd()
  }, [last, items.length, onNearEnd])
  const move = (to: number): void => {
    const at = Math.min(Math.max(to, 0), items.length - 1)
    setFocused(at)
    rows.scrollToIndex(at)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = movedTo(event.key, focused, items.length)
    // A button in a head does its own.
    const act = event.target instanceof HTMLButtonElement ? undefined : actOf(event.key, props)
    const item = items[focused]
    if (to !== undefined) move(to)
    else if (act !== undefined && item !== undefined) act(item)
    else return
    event.preventDefault()
  }
  // As a variable, so that narrow screens can lay a row out as a card.
  const template = { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties
  return (
    <div className={classes.list}>
      {above}
      <div
        ref={box}
        className={classes.scroll}
        role="grid"
        aria-label={label}
        aria-rowcount={items.length + 1}
        onKeyDown={onKeyDown}
        tabIndex={-1}
      >
        <div role="row" aria-rowindex={1} tabIndex={-1} className={classes.header} style={template}>
          {columns.map((column) => (
            <div
              key={column.id}
              role="columnheader"
              aria-sort={column.sort?.direction}
              tabIndex={-1}
              data-narrow={column.isHiddenNarrow ? 'hidden' : undefined}
            >
              <SortedLabel label={column.label} sort={column.sort} />
            </div>
          ))}
        </div>
        <div role="rowgroup" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, start, size }) => {
            const item = items[index]
            return item === undefined ? null : (
              <div
                key={item.id}
                role="row"
                aria-rowindex={index + 2}
                data-row={index}
                aria-selected={selected === undefined ? undefined : selected.has(item.id)}
                tabIndex={index === focused ? 0 : -1}
                className={classes.row}
                data-unfit={unfit.includes(item.id) || undefined}
                title={unfit.includes(item.id) ? say('unfit') : undefined}
                style={{ ...template, height: size, transform: `translateY(${start}px)` }}
                onClick={(event) => pressRow(event, item, props)}
                onFocus={() => setFocused(index)}
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
                    {column.cell(item)}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
      </div>
      <div className={classes.foot}>{foot}</div>
    </div>
  )
}

/** Where a key leads from a row. */
function movedTo(key: string, from: number, length: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  const step = STEPS[key]
  return step === undefined ? undefined : from + step
}

/** What a key does with the row that has the focus. */
function actOf<Item>(key: string, { onOpen, onPeek, onSelect }: Props<Item>): ((item: Item) => void) | undefined {
  const acts: Readonly<Record<string, ((item: Item) => void) | undefined>> = {
    Enter: onOpen,
    ' ': onPeek,
    x: onSelect && ((item) => onSelect(item, false)),
    X: onSelect && ((item) => onSelect(item, true)),
  }
  return acts[key]
}

/** A click opens, or chooses with one of the keys that choose elsewhere; a button in the row does its own. */
function pressRow<Item>(event: MouseEvent, item: Item, { onOpen, onSelect }: Props<Item>): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) return
  if (onSelect !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey)) onSelect(item, event.shiftKey)
  else onOpen(item)
}

const MARKS = { ascending: ' ↑', descending: ' ↓', none: '' } as const

function SortedLabel({ label, sort }: Pick<Column<never>, 'label' | 'sort'>) {
  if (sort === undefined) return <>{label}</>
  return (
    <button type="button" className={classes.sort} onClick={sort.onSort}>
      {label}
      <span aria-hidden>{MARKS[sort.direction]}</span>
    </button>
  )
}
