import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formats, useWords } from '../words/words.ts'
import classes from './settings.module.css'

export interface NewLink {
  name: string
  link: string
  expires_at: string
}

/** A link that is shown this once, to be copied. */
export function LinkOnce({ link, onClose }: { link: NewLink | undefined; onClose: () => void }) {
  const say = useWords('settings')
  const [isCopied, setCopied] = useState(false)
  const address = link === undefined ? '' : new URL(link.link, location.origin).href
  const close = () => {
    setCopied(false)
    onClose()
  }
  return (
    <Modal
      opened={link !== undefined}
      onClose={close}
      title={say('linkFor', { name: link?.name ?? '' })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <div className={classes.confirm}>
        <TextInput
          aria-label={say('linkFor', { name: link?.name ?? '' })}
          value={address}
          readOnly
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <p>{link === undefined ? '' : say('linkOnce', { at: formats.time(link.expires_at) })}</p>
        <Button onClick={() => void navigator.clipboard.writeText(address).then(() => setCopied(true))} data-autofocus>
          {say(isCopied ? 'copied' : 'copy')}
        </Button>
      </div>
    </Modal>
  )
}
