// What is typed after `/`, before the box of the search is there.
import { expect, test } from 'vitest'
import { keepKeys } from '../../web/shell/early-keys.ts'

/** Presses keys on a page, and gives those that the page itself heard of. */
function press(page: EventTarget, keys: readonly string[]): string[] {
  const heard: string[] = []
  const listener = (event: Event) => heard.push((event as Event & { key: string }).key)
  page.addEventListener('keydown', listener)
  for (const key of keys) {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key })
    page.dispatchEvent(event)
    if (event.defaultPrevented) heard.pop()
  }
  page.removeEventListener('keydown', listener)
  return heard
}

test('letters typed before the search box is there are kept for it, and do nothing on the page', () => {
  const page = new EventTarget()
  const typed = keepKeys(page)
  expect(press(page, ['b', 'o', 'o', 'Backspace', 'i', 'ArrowDown'])).toEqual(['ArrowDown'])
  expect(typed.take()).toEqual({ text: 'boi', isEntered: false })
  expect(press(page, ['m'])).toEqual(['m'])
})

test('Enter before the search box is there opens the first hit, and Escape forgets what was typed', () => {
  const page = new EventTarget()
  const entered = keepKeys(page)
  press(page, ['z', 'o', 'e', 'Enter'])
  expect(entered.take()).toEqual({ text: 'zoe', isEntered: true })
  const left = keepKeys(page)
  press(page, ['z', 'Escape'])
  expect(press(page, ['m'])).toEqual(['m'])
  expect(left.take()).toEqual({ text: '', isEntered: false })
})
