import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'

const CARRIED = 'carried'

/** Lets an element be carried, with what it stands for. */
export function useDrag<Item>(ref: RefObject<HTMLElement | null>, item: Item): { isCarried: boolean } {
  const [isCarried, setCarried] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    return draggable({
      element: ref.current,
      getInitialData: () => ({ [CARRIED]: item }),
      onDragStart: () => setCarried(true),
      onDrop: () => setCarried(false),
    })
  }, [ref, item])
  return { isCarried }
}

/** Lets what is carried be put down on an element; of elements inside each other the inner one takes it. */
export function useDrop<Item>(ref: RefObject<HTMLElement | null>, onDrop: (item: Item) => void): { isOver: boolean } {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const isInner = (targets: readonly { element: Element }[]) => targets[0]?.element === element
    return dropTargetForElements({
      element,
      onDropTargetChange: ({ location }) => setOver(isInner(location.current.dropTargets)),
      onDragLeave: () => setOver(false),
      onDrop: ({ source, location }) => {
        setOver(false)
        // Only our own cards are carried on this page.
        if (isInner(location.current.dropTargets)) latest.current(source.data[CARRIED] as Item)
      },
    })
  }, [ref])
  return { isOver }
}
