/** What is typed before the box that it is for is there. */
export interface EarlyKeys {
  /** The text so far, and whether Enter ended it; from here on keys go where they go. */
  take(): { text: string; isEntered: boolean }
}

/** A key as browsers report it. */
type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Keeps what is typed from the page, on which single keys do something, until it is taken, or Escape or a pointer ends it. */
export function keepKeys(page: EventTarget = window): EarlyKeys {
  let text = ''
  let isEntered = false
  const end = () => {
    page.removeEventListener('keydown', keep, true)
    page.removeEventListener('pointerdown', end, true)
  }
  const keep = (event: Event) => {
    const { key, ctrlKey, metaKey, altKey } = event as Event & Pressed
    if (ctrlKey || metaKey || altKey) return
    if (key === 'Escape') {
      text = ''
      return end()
    }
    if (key === 'Enter') isEntered = text !== ''
    else if (key === 'Backspace') text = text.slice(0, -1)
    else if (key.length === 1) text += key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  page.addEventListener('keydown', keep, true)
  page.addEventListener('pointerdown', end, true)
  return {
    take() {
      end()
      return { text, isEntered }
    },
  }
}
