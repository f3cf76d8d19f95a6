/** Who is at work on a record just now, as the stream tells it: for some seconds, and no longer. */
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { callByName } from './client.ts'

/** Somebody else at a record. */
export interface Present {
  model: string
  id: number
  user: number
  name: string
  /** 0: they have gone. */
  for_ms: number
}

/** While somebody goes on, the others are told so often; they forget in twice the time. */
const SAY_EVERY_MS = 4_000
const NOBODY: readonly string[] = []

interface Known {
  name: string
  until: number
}

const known = new Map<string, Map<number, Known>>()
let shown = new Map<string, readonly string[]>()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function keyOf(model: string, id: number): string {
  return `${model} ${id}`
}

/** Takes note of what was heard. */
export function notePresent(people: readonly Present[], now = Date.now()): void {
  for (const { model, id, user, name, for_ms: ms } of people) {
    const key = keyOf(model, id)
    const there = known.get(key) ?? new Map<number, Known>()
    if (ms > 0) there.set(user, { name, until: now + ms })
    else there.delete(user)
    known.set(key, there)
  }
  forget(now)
}

/** Names of those who are at the record. */
export function presentAt(model: string, id: number | undefined): readonly string[] {
  return id === undefined ? NOBODY : (shown.get(keyOf(model, id)) ?? NOBODY)
}

/** Drops who was not heard of for too long, and looks again when the next one is due. */
export function forget(now = Date.now()): void {
  for (const [key, there] of known) {
    for (const [user, { until }] of there) if (until <= now) there.delete(user)
    if (there.size === 0) known.delete(key)
  }
  shown = new Map([...known].map(([key, there]) => [key, [...there.values()].map(({ name }) => name)]))
  for (const listener of listeners) listener()
  clearTimeout(timer)
  const due = Math.min(...[...known.values()].flatMap((there) => [...there.values()].map(({ until }) => until)))
  timer = Number.isFinite(due) ? setTimeout(forget, Math.max(0, due - now)) : undefined
}

/** The same, followed. */
export function usePresent(model: string, id: number | undefined): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => presentAt(model, id),
  )
}

/** Tells colleagues that one is answering in a conversation, now and then while one types, and that one is done. */
export function useAnswering(conversation: number | undefined): (isAnswering: boolean) => void {
  const saidAt = useRef(0)
  const say = useCallback(
    (isAnswering: boolean) => {
      if (conversation === undefined) return
      const isNews = isAnswering ? Date.now() - saidAt.current >= SAY_EVERY_MS : saidAt.current > 0
      if (!isNews) return
      saidAt.current = isAnswering ? Date.now() : 0
      const over = isAnswering ? {} : { is_over: true }
      // Anyone who does not hear of it loses nothing.
      void callByName('connect.conversation', 'answering', { ids: [conversation], ...over }).catch(() => undefined)
    },
    [conversation],
  )
  useEffect(() => () => say(false), [say])
  return say
}
