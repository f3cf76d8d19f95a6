import { useEffect } from 'react'

/** Keys by what is pressed: `?`, `/`, or two after another such as `g n`. */
export type Keymap = Readonly<Record<string, () => void>>

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

/** Listens while the component is there; never while somebody types. */
export function useKeys(keymap: Keymap): void {
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const listener = (event: KeyboardEvent): void => {
      if (!isForPage(event)) return
      const isFresh = first !== undefined && event.timeStamp - first.at < SEQUENCE_MS
      const found = pressed(keymap, isFresh ? first?.key : undefined, event.key)
      first = { key: event.key, at: event.timeStamp }
      if (found === undefined) return
      event.preventDefault()
      keymap[found]?.()
    }
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [keymap])
}
