import { Notifications, notifications, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { sentenceOf } from '../data/errors.ts'
import type { Offer } from './notices.tsx'
import { Button } from './press.tsx'

/** As long as one needs to see that it was the wrong one. */
const UNDO_MS = 8_000
const READ_MS = 6_000

const SHOWN_MAX = 3

/** Where it is told what was done: below the page, which makes room, so that nothing that is pressed lies behind it. */
export function Toasts() {
  const { notifications: shown } = useNotifications()
  const isAny = shown.length > 0
  useEffect(() => {
    const { style } = document.documentElement
    const place = document.querySelector('.mantine-Notifications-root[data-position="bottom-left"]')
    if (!isAny || place === null) return
    const observer = new ResizeObserver(() =>
      style.setProperty('--toasts', `${place.getBoundingClientRect().height}px`),
    )
    observer.observe(place)
    return () => {
      observer.disconnect()
      style.removeProperty('--toasts')
    }
  }, [isAny])
  return <Notifications position="bottom-left" limit={SHOWN_MAX} />
}

/** Says what was done, and takes it back or does something else when that is wanted. */
export function showDone(message: string, offers: readonly Offer[], until?: AbortSignal): void {
  if (until?.aborted === true) return
  const id = notifications.show({
    autoClose: offers.length === 0 ? READ_MS : UNDO_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': '×' },
    message:
      offers.length === 0 ? (
        message
      ) : (
        <>
          <span>{message}</span>{' '}
          {offers.map(({ label, run }) => (
            <Button
              key={label}
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                notifications.hide(id)
                run()
              }}
            >
              {label}
            </Button>
          ))}
        </>
      ),
  })
  until?.addEventListener('abort', () => notifications.hide(id))
}

/** Says why something was not done, in the service's own sentence. */
export function showRefusal(error: unknown): void {
  notifications.show({
    autoClose: UNDO_MS,
    withBorder: true,
    color: 'danger',
    closeButtonProps: { 'aria-label': '×' },
    message: sentenceOf(error),
  })
}
