import { Kbd, Modal } from '@mantine/core'
import { useMe } from '../data/session.ts'
import { keysHere, SAVE_KEY, withCommand } from '../design/keys.ts'
import { useWords } from '../words/words.ts'
import classes from './keys-help.module.css'
import { entriesFor } from './nav.ts'

/** What is shown of a key, and which keys of a page it stands for. */
const PAGE_KEYS = [
  ['↑ ↓', 'keyMove', ['ArrowDown']],
  ['Enter', 'keyOpen', ['Enter']],
  ['Space', 'keyPeek', [' ']],
  ['x', 'keySelect', ['x']],
  ['f', 'keyFilter', ['f']],
  ['c', 'keyCompose', ['c']],
  ['e', 'keyEdit', ['e']],
  ['n', 'keyNote', ['n']],
  ['a', 'keyAssign', ['a']],
  ['m', 'keyMoveTo', ['m']],
  ['p', 'keyPlay', ['p']],
  ['← →', 'keySeek', ['ArrowLeft']],
  [', .', 'keyMoment', ['.']],
  ['[ ]', 'keyNeighbours', ['[', ']']],
  [withCommand('S'), 'keySave', [SAVE_KEY]],
  ['y', 'keyCopy', ['y']],
  ['Esc', 'keyUp', ['Escape']],
] as const

/** The keys that do something on this page, and no other. */
export function KeysHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const say = useWords('shell')
  const entries = entriesFor(useMe())
  const here = isOpen ? keysHere() : NONE
  const own = PAGE_KEYS.filter(([, , keys]) => keys.some((key) => here.has(key)))
  return (
    <Modal opened={isOpen} onClose={onClose} title={say('keys')} closeButtonProps={{ 'aria-label': say('close') }}>
      <dl className={classes.keys}>
        {own.map(([key, words]) => (
          <Row key={key} label={say(words)} keys={[key]} />
        ))}
        <Row label={say('search')} keys={['/']} />
        <Row label={say('keyFold')} keys={['\\']} />
        {entries.map(({ key, words }) => (
          <Row key={key} label={say(words)} keys={['g', key]} />
        ))}
      </dl>
    </Modal>
  )
}

const NONE: ReadonlySet<string> = new Set()

function Row({ label, keys }: { label: string; keys: readonly string[] }) {
  return (
    <div className={classes.row}>
      <dt>{label}</dt>
      <dd>
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dd>
    </div>
  )
}
