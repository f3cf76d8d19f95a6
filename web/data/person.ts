import { leavePage } from './session.ts'

/** Whose browser this is now, by the id of the user; every tab of it hears of a change. */
const KEY = 'connect.person'

/**
 * From now on this browser is this person's. Tabs in which somebody else was signed in are loaded anew: what they ask for would be
 * answered with the rights of another person than the one whose name they show.
 */
export function startPerson(user: number): void {
  const id = String(user)
  localStorage.setItem(KEY, id)
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY && newValue !== null && newValue !== id) leavePage()
  })
}
