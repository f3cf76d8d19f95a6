import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { sentenceOf } from '../data/errors.ts'

/** As long as one needs to see that it was the wrong one. */
const UNDO_MS = 8_000
const READ_MS = 6_000

/** Says what was done, and takes it back when that is wanted. */
export function tellDone(message: string, undo?: { label: string; run: () => void }): void {
  const id = notifications.show({
    autoClose: undo === undefined ? READ_MS : UNDO_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': '×' },
    message:
      undo === undefined ? (
        message
      ) : (
        <>
          {message}{' '}
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              notifications.hide(id)
              undo.run()
            }}
          >
            {undo.label}
          </Button>
        </>
      ),
  })
}

/** Says why something was not done, in the service's own sentence. */
export function tellRefusal(error: unknown): void {
  notifications.show({
    autoClose: UNDO_MS,
    withBorder: true,
    color: 'danger',
    closeButtonProps: { 'aria-label': '×' },
    message: sentenceOf(error),
  })
}
