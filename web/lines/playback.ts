import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Heard } from './call-queries.ts'

const MS_PER_SECOND = 1_000

export interface Playback {
  audio: RefObject<HTMLAudioElement | null>
  /** What is being listened to; undefined where there is nothing to hear. */
  heard: (Heard & { address: string }) | undefined
  /** Where one is, in milliseconds since the call began. */
  atMs: number
  isPlaying: boolean
  /** Goes there, and plays from there where that is asked and something was recorded. */
  seek(ms: number, options?: { plays?: boolean }): void
  toggle(): void
}

/** One audio element on the line of a call: its recordings one after the other, in the time of the call. */
export function usePlayback(all: readonly Heard[], startMs: number): Playback {
  const audible = useMemo(() => all.filter(hasAddress), [all])
  const audio = useRef<HTMLAudioElement | null>(null)
  const wanted = useRef<{ seconds: number; plays: boolean } | undefined>(undefined)
  const [atMs, setAtMs] = useState(startMs)
  const [isPlaying, setPlaying] = useState(false)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const heard = audible.find(({ ref }) => ref[1] === chosen) ?? at(audible, startMs) ?? audible[0]
  const fromMs = heard?.from_ms ?? 0

  const settle = useCallback(() => {
    const [element, place] = [audio.current, wanted.current]
    if (element === null || place === undefined || element.readyState < HTMLMediaElement.HAVE_METADATA) return
    wanted.current = undefined
    element.currentTime = place.seconds
    if (place.plays) void element.play().catch(() => setPlaying(false))
  }, [])

  useEffect(() => {
    const element = audio.current
    if (element === null) return
    const listeners: Record<string, () => void> = {
      play: () => setPlaying(true),
      pause: () => setPlaying(false),
      loadedmetadata: settle,
      timeupdate: () => {
        if (wanted.current === undefined && !element.paused) setAtMs(fromMs + element.currentTime * MS_PER_SECOND)
      },
    }
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener)
    settle()
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
    }
  }, [fromMs, settle])

  const seek = useCallback(
    (ms: number, { plays }: { plays?: boolean } = {}) => {
      setAtMs(ms)
      const there = at(audible, ms)
      if (there === undefined) {
        audio.current?.pause()
        return
      }
      setChosen(Number(there.ref[1]))
      const isGoingOn = audio.current !== null && !audio.current.paused
      wanted.current = { seconds: (ms - there.from_ms) / MS_PER_SECOND, plays: plays ?? isGoingOn }
      settle()
    },
    [audible, settle],
  )
  const toggle = useCallback(() => {
    if (isPlaying) audio.current?.pause()
    else seek(atMs, { plays: true })
  }, [atMs, isPlaying, seek])
  return { audio, heard, atMs, isPlaying, seek, toggle }
}

function hasAddress(heard: Heard): heard is Heard & { address: string } {
  return heard.address !== null
}

/** What was recorded at that moment. */
function at<Each extends Heard>(audible: readonly Each[], ms: number): Each | undefined {
  return audible.find(({ from_ms: from, to_ms: to }) => ms >= from && ms <= to)
}
