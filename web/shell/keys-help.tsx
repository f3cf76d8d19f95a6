import { Kbd, Modal } from '@mantine/core'
import { useMe } from '../data/session.ts'
import { withCommand } from '../design/keys.ts'
import { useWords } from '../words/words.ts'
import classes from './keys-help.module.css'
import { entriesFor } from './nav.ts'

const LIST_KEYS = [
  ['↑ ↓', 'keyMove'],
  ['Enter', 'keyOpen'],
  ['Space', 'keyPeek'],
  ['x', 'keySelect'],
  ['e', 'keyEdit'],
  ['n', 'keyNote'],
  ['a', 'keyAssign'],
  ['m', 'keyMoveTo'],
  ['[ ]', 'keyNeighbours'],
  [withCommand('S'), 'keySave'],
  ['y', 'keyCopy'],
  ['Esc', 'keyUp'],
] as const

/** The keys of this page. */
export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  return (
    <Modal opened={isOpen} onClose={onClose} title={say('keys')} closeButtonProps={{ 'aria-label': say('close') }}>
      <dl className={classes.keys}>
        <dt>{say('search')}</dt>
        <dd>
          <Kbd>/</Kbd>
        </dd>
        <dt>{say('keyFold')}</dt>
        <dd>
          <Kbd>\</Kbd>
        </dd>
        {entries.map(({ key, words }) => (
          <div key={key} className={classes.row}>
            <dt>{say(words)}</dt>
            <dd>
              <Kbd>g</Kbd> <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
        {LIST_KEYS.map(([key, words]) => (
          <div key={key} className={classes.row}>
            <dt>{say(words)}</dt>
            <dd>
              <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
