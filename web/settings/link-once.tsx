import { Modal, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { onSignedOut } from '../data/client.ts'
import { Button } from '../design/press.tsx'
import { formats, useWords } from '../words/words.ts'
import { isOwnComputer } from './own-computer.ts'
import classes from './settings.module.css'

export interface NewLink {
  name: string
  link: string
  path: string
  reach: 'public' | 'private' | 'example' | 'missing'
  expires_at: string
}

/** A link that is shown this once, to be copied: at the public address, and at the one that this page was opened at. */
export function LinkOnce({ link, onClose }: { link: NewLink | undefined; onClose: () => void }) {
  const say = useWords('settings')
  // Anyone who signs in next must not find it.
  useEffect(() => onSignedOut(onClose), [onClose])
  return (
    <Modal
      opened={link !== undefined}
      onClose={onClose}
      title={say('linkFor', { name: link?.name ?? '' })}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      {link === undefined ? null : <Addresses link={link} />}
    </Modal>
  )
}

function Addresses({ link }: { link: NewLink }) {
  const say = useWords('settings')
  const here = new URL(link.path, location.origin).href
  const isElsewhere = link.reach !== 'missing' && link.link !== here
  return (
    <div className={classes.confirm}>
      {isElsewhere && link.reach !== 'example' ? (
        <Address
          label={say(labelOf(link.link, link.reach === 'public' ? 'linkPublic' : 'linkPrivate'))}
          address={link.link}
        />
      ) : null}
      {isElsewhere && link.reach === 'example' ? (
        <p role="note">{say('linkExample', { host: new URL(link.link).host })}</p>
      ) : null}
      <Address label={say(labelOf(here, isElsewhere ? 'linkHere' : 'link'))} address={here} />
      <p>{say('linkOnce', { at: formats.time(link.expires_at) })}</p>
    </div>
  )
}

/** An address that leads each computer to itself is good on this one alone. */
function labelOf<Otherwise extends string>(address: string, otherwise: Otherwise): Otherwise | 'linkThisComputer' {
  return isOwnComputer(new URL(address).hostname) ? 'linkThisComputer' : otherwise
}

function Address({ label, address }: { label: string; address: string }) {
  const say = useWords('settings')
  const [isCopied, setCopied] = useState(false)
  return (
    <>
      <TextInput
        label={label}
        value={address}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        data-autofocus
      />
      <Button onClick={() => navigator.clipboard.writeText(address).then(() => setCopied(true))}>
        {say(isCopied ? 'copied' : 'copy')}
      </Button>
    </>
  )
}
