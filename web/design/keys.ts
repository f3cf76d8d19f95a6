import { useEffect } from 'react'

/** What a key does; it may say where it does nothing just now, so that nobody is told of it there. */
export type Act = (() => void) & {
  isHere?: () => boolean
  /** Where something else has the focus that the key is for. */
  isFor?: () => boolean
}

/** Keys by what is pressed: `?`, `/`, or two after another such as `g n`. */
export type Keymap = Readonly<Record<string, Act>>

/** The keymaps of what is shown. */
const active = new Set<Keymap>()

/** Every key that does something on the page as it stands. */
export function keysHere(): ReadonlySet<string> {
  return new Set(
    [...active].flatMap((keymap) =>
      Object.entries(keymap)
        .filter(([, { isHere }]) => isHere?.() !== false)
        .map(([key]) => key),
    ),
  )
}

/** Nothing has the focus: a page that has just been opened. */
export function isFocusFree(): boolean {
  const { activeElement: at } = document
  return at === null || at === document.body || at.id === 'page'
}

/** Stands for ⌘S and Ctrl S among the keys of a page. */
export const SAVE_KEY = 'Save'

const SWITCHED_OFF = 'connect.keys'
const SEQUENCE_MS = 1_000
const EDITABLE =
  'input, textarea, select, [contenteditable="true"], [role="combobox"], [role="menu"] *, [role="dialog"] *'

/** Whether single keys do something; somebody who speaks to the computer switches them off. */
export function areKeysOn(): boolean {
  return localStorage.getItem(SWITCHED_OFF) !== 'off'
}

export function switchKeys(on: boolean): void {
  if (on) localStorage.removeItem(SWITCHED_OFF)
  else localStorage.setItem(SWITCHED_OFF, 'off')
}

/** What stands on the key that goes with others: ⌘ on a Mac and its kin, Ctrl everywhere else. */
export function commandKey(platform: string): '⌘' | 'Ctrl' {
  return /mac|iphone|ipad|ipod/i.test(platform) ? '⌘' : 'Ctrl'
}

/** A hint such as `⌘ S`, or `Ctrl S`, for the machine that the page is on. */
export function withCommand(key: string): string {
  return `${commandKey(navigator.userAgent)} ${key}`
}

/** What a press after another one stands for: a sequence that is known, or the key alone. */
export function pressed(keymap: Keymap, first: string | undefined, key: string): string | undefined {
  const both = first === undefined ? key : `${first} ${key}`
  if (Object.hasOwn(keymap, both)) return both
  return Object.hasOwn(keymap, key) ? key : undefined
}

function isForPage(event: KeyboardEvent): boolean {
  const isTyped = event.target instanceof Element && event.target.matches(EDITABLE)
  return areKeysOn() && !isTyped && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
}

/** Whether something was done. */
function run(act: Act | undefined): boolean {
  if (act === undefined || act.isFor?.() === false) return false
  act()
  return true
}

/** What was pressed last, and when. */
interface Press {
  key: string
  at: number
}

/** Does what the press stands for, which may be the second of two. */
function answer(keymap: Keymap, first: Press | undefined, event: KeyboardEvent): void {
  const isFresh = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS
  const found = pressed(keymap, isFresh ? first.key : undefined, event.key)
  if (found !== undefined && run(keymap[found])) event.preventDefault()
}

/** Listens while the component is there; never while somebody types. */
export function useKeys(keymap: Keymap): void {
  useEffect(() => {
    let first: Press | undefined
    const listener = (event: KeyboardEvent): void => {
      if (!isForPage(event)) return
      answer(keymap, first, event)
      first = { key: event.key, at: event.timeStamp }
    }
    active.add(keymap)
    window.addEventListener('keydown', listener)
    return () => {
      active.delete(keymap)
      window.removeEventListener('keydown', listener)
    }
  }, [keymap])
}
