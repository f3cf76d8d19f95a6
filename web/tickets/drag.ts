import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef, useState } from 'react'

const CARRIED = 'carried'

/** Lets an element be carried, with what it stands for. */
export function useDrag<Item>(item: Item): { ref: RefObject<HTMLElement | null>; isCarried: boolean } {
  const ref = useRef<HTMLElement>(null)
  const [isCarried, setCarried] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    return draggable({
      element: ref.current,
      getInitialData: () => ({ [CARRIED]: item }),
      onDragStart: () => setCarried(true),
      onDrop: () => setCarried(false),
    })
  }, [item])
  return { ref, isCarried }
}

/** Lets what is carried be put down on an element. */
export function useDrop<Item>(onDrop: (item: Item) => void): { ref: RefObject<HTMLElement | null>; isOver: boolean } {
  const ref = useRef<HTMLElement>(null)
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (ref.current === null) return
    return dropTargetForElements({
      element: ref.current,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        // Only our own cards are carried on this page.
        onDrop(source.data[CARRIED] as Item)
      },
    })
  }, [onDrop])
  return { ref, isOver }
}
