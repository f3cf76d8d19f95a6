import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { rowPx } from '../design/density.ts'
import { isFocusFree, type Keymap, useKeys } from '../design/keys.ts'
import { useWords } from '../words/words.ts'
import { type Columns, ListRow, tracksOf } from './list-row.tsx'
import classes from './records.module.css'
import { useTouchChoice } from './touch-choice.ts'

const NARROW_ROW_PX = 60
const OVERSCAN = 12
/** So close to the end the next page is asked for. */
const NEAR_END = 20
const NARROW = '(max-width: 47.99em)'
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1, PageDown: 10, PageUp: -10 }
const NONE: readonly number[] = []

interface Props<Item> {
  label: string
  items: readonly Item[]
  columns: Columns<Item>
  onOpen: (item: Item) => void
  onNearEnd: () => void
  /** The places of the rows in sight, where somebody wants to know. */
  onSight?: (sight: { first: number; last: number }) => void
  /** Nothing but its id is there yet. */
  isThin?: (item: Item) => boolean
  foot: ReactNode
  /** Space looks at a row without opening it. */
  onPeek?: ((item: Item) => void) | undefined
  /** `x` chooses a row and `X` all from the last one to this; so does a click with Ctrl or ⌘, and with Shift, and a finger that stays. */
  selected?: { has: (id: number) => boolean; isAny: boolean } | undefined
  onSelect?: ((item: Item, isRange: boolean) => void) | undefined
  /** Rows that fit the filter no more. */
  unfit?: readonly number[]
  above?: ReactNode
}

/** A list of any length: only rows in sight exist; arrows move, Enter opens. */
export function VirtualList<Item extends { id: number }>(props: Props<Item>) {
  const { label, items, columns, onNearEnd, onSight, isThin, foot, selected, unfit = NONE, above } = props
  const say = useWords('records')
  const box = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  // What rows call is the same each time, so that only those are drawn anew of which something has changed.
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const { touches, clickIs } = useTouchChoice<Item>(props.onSelect)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => (window.matchMedia(NARROW).matches ? NARROW_ROW_PX : rowPx()),
    overscan: OVERSCAN,
  })
  const shown = rows.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    onSight?.({ first, last })
  }, [first, last, onSight])
  useEffect(() => {
    if (last >= items.length - NEAR_END) onNearEnd()
  }, [last, items.length, onNearEnd])
  const move = (to: number): void => {
    const at = Math.min(Math.max(to, 0), items.length - 1)
    setFocused(at)
    rows.scrollToIndex(at)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)?.focus())
  }
  usePageKeys(box, latest, { focused, move })
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
  const press = useCallback(
    (event: MouseEvent, item: Item) => pressRow(event, item, { ...latest.current, ...clickIs() }),
    [clickIs],
  )
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
        <div role="row" aria-rowindex={1} tabIndex={-1} className={classes.header} style={tracksOf(columns)}>
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
              <ListRow
                key={item.id}
                item={item}
                index={index}
                start={start}
                size={size}
                columns={columns}
                isThin={isThin?.(item) === true}
                isFocused={index === focused}
                isSelected={selected?.has(item.id)}
                unfit={unfit.includes(item.id) ? say('unfit') : undefined}
                touches={touches}
                onPress={press}
                onFocus={setFocused}
              />
            )
          })}
        </div>
      </div>
      <div className={classes.foot}>{foot}</div>
    </div>
  )
}

const LETTERS_OR_ARROWS = ['ArrowDown', 'ArrowUp', 'j', 'k'] as const
const CHOICES = ['x', 'X'] as const

/**
 * The keys of the list work before anything in it has the focus: the first of them goes to the row on which it stands. Enter
 * and Space are those of whatever else has it.
 */
function usePageKeys<Item extends { id: number }>(
  box: RefObject<HTMLDivElement | null>,
  latest: RefObject<Props<Item>>,
  { focused, move }: { focused: number; move: (to: number) => void },
): void {
  const at = useRef({ focused, move })
  // Until the row is painted with the focus, the next key goes on from it.
  const isOnItsWay = useRef(false)
  useLayoutEffect(() => {
    at.current = { focused, move }
  })
  const keymap = useMemo((): Keymap => {
    const isFirst = () => document.querySelector('#page [role="grid"]') === box.current
    const isOutside = () => isFirst() && box.current?.contains(document.activeElement) === false
    const isFree = () => isOutside() && isFocusFree()
    const act = (key: string) => () => {
      const item = latest.current.items[at.current.focused]
      at.current.move(at.current.focused)
      if (item !== undefined) actOf(key, latest.current)?.(item)
    }
    const isThere = (key: string) => () => isFirst() && actOf(key, latest.current) !== undefined
    const go = (key: string) => () => {
      const { focused, move } = at.current
      move(isOnItsWay.current ? focused + (STEPS[key] ?? 0) : focused)
      isOnItsWay.current = true
      requestAnimationFrame(() => {
        isOnItsWay.current = false
      })
    }
    return Object.fromEntries([
      ...LETTERS_OR_ARROWS.map((key) => [key, Object.assign(go(key), { isHere: isFirst, isFor: isOutside })]),
      ...CHOICES.map((key) => [key, Object.assign(act(key), { isHere: isThere(key), isFor: isOutside })]),
      ...['Enter', ' '].map((key) => [
        key,
        Object.assign(act(key), { isHere: isThere(key), isFor: () => isFree() && isThere(key)() }),
      ]),
    ])
  }, [box, latest])
  useKeys(keymap)
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

type Pressed<Item> = Props<Item> & { isTouch: boolean; isHeld: boolean }

/**
 * A click opens, or chooses with one of the keys that choose elsewhere; a finger chooses while anything is chosen. A button
 * in the row does its own.
 */
function pressRow<Item>(event: MouseEvent, item: Item, pressed: Pressed<Item>): void {
  const { onOpen, onSelect, selected, isTouch, isHeld } = pressed
  if (isHeld || (event.target instanceof Element && event.target.closest('button') !== null)) return
  const isChoice = event.ctrlKey || event.metaKey || event.shiftKey || (isTouch && selected?.isAny === true)
  if (onSelect !== undefined && isChoice) onSelect(item, event.shiftKey)
  else onOpen(item)
}

const MARKS = { ascending: ' ↑', descending: ' ↓', none: '' } as const

function SortedLabel({ label, sort }: Pick<Columns<never>[number], 'label' | 'sort'>) {
  if (sort === undefined) return <>{label}</>
  return (
    <button type="button" className={classes.sort} onClick={sort.onSort}>
      {label}
      <span aria-hidden>{MARKS[sort.direction]}</span>
    </button>
  )
}
