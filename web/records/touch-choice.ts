import { type PointerEvent, type SyntheticEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'

/** As long as telephones take a finger that stays for a wish of its own. */
const HOLD_MS = 500
/** A finger is never quite still. */
const STILL_PX = 10

interface Press {
  timer: number
  x: number
  y: number
  isTouch: boolean
  /** It was held, and did something by that: the click that follows is none. */
  isHeld: boolean
}

/** What a row listens to. */
export interface Touches {
  onPointerDown: (event: PointerEvent) => void
  onPointerMove: (event: PointerEvent) => void
  onPointerUp: () => void
  onPointerCancel: () => void
  onContextMenu: (event: SyntheticEvent) => void
}

/**
 * Fingers have no keys to choose by: a row that is held is chosen, and while rows are chosen a tap chooses or leaves out
 * instead of opening.
 */
export function useTouchChoice<Item>(onChoose: ((item: Item, isRange: boolean) => void) | undefined) {
  const press = useRef<Press>(undefined)
  const latest = useRef(onChoose)
  useLayoutEffect(() => {
    latest.current = onChoose
  })
  useEffect(() => () => window.clearTimeout(press.current?.timer), [])
  return useMemo(() => {
    const drop = (): void => window.clearTimeout(press.current?.timer)
    const begin = ({ pointerType, clientX, clientY }: PointerEvent, item: Item): void => {
      drop()
      const isTouch = pointerType === 'touch'
      const held: Press = { timer: 0, x: clientX, y: clientY, isTouch, isHeld: false }
      const choose = (): void => {
        held.isHeld = true
        latest.current?.(item, false)
      }
      if (isTouch && latest.current !== undefined) held.timer = window.setTimeout(choose, HOLD_MS)
      press.current = held
    }
    return {
      touches: (item: Item): Touches => ({
        onPointerDown: (event) => begin(event, item),
        onPointerMove: ({ clientX, clientY }) => {
          const { x = clientX, y = clientY } = press.current ?? {}
          if (Math.hypot(clientX - x, clientY - y) > STILL_PX) drop()
        },
        onPointerUp: drop,
        onPointerCancel: drop,
        // The menu of the browser would cover what was chosen.
        onContextMenu: (event) => {
          if (latest.current !== undefined && press.current?.isTouch === true) event.preventDefault()
        },
      }),
      /** What the click that comes now is: of a finger or not, and whether it only ends a hold. */
      clickIs: (): { isTouch: boolean; isHeld: boolean } => {
        const { isTouch = false, isHeld = false } = press.current ?? {}
        press.current = undefined
        return { isTouch, isHeld }
      },
    }
  }, [])
}
