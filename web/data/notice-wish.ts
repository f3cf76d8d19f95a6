const STORED = 'connect.notices'

/** Whether this browser shows notices outside of the page, as somebody has asked it to. */
export function areNoticesWanted(): boolean {
  return 'Notification' in window && localStorage.getItem(STORED) === 'on' && Notification.permission === 'granted'
}

/** Asks the browser when somebody wants them, and never before; answers whether they are shown from now on. */
export async function wantNotices(wanted: boolean): Promise<boolean> {
  if (!wanted || !('Notification' in window)) {
    localStorage.removeItem(STORED)
    return false
  }
  const isAllowed = (await Notification.requestPermission()) === 'granted'
  if (isAllowed) localStorage.setItem(STORED, 'on')
  return isAllowed
}
