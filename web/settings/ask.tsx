import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { Button } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import classes from './settings.module.css'

interface Props {
  isOpen: boolean
  question: string
  /** What comes of it. */
  says: string
  verb: string
  children?: ReactNode
  onClose: () => void
  onYes: () => unknown
}

/** Asks before something that cannot be undone. */
export function Ask({ isOpen, question, says, verb, children, onClose, onYes }: Props) {
  const say = useWords('settings')
  return (
    <Modal opened={isOpen} onClose={onClose} title={question} closeButtonProps={{ 'aria-label': say('close') }}>
      <div className={classes.confirm}>
        <p>{says}</p>
        {children}
        <div className={classes.actions}>
          <Button color="danger" onClick={onYes}>
            {verb}
          </Button>
          <Button variant="default" onClick={onClose} data-autofocus>
            {say('keepIt')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
