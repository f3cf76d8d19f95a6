import { Menu, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { signOut, useMe } from '../data/session.ts'
import { Initials } from '../design/initials.tsx'
import { MenuItem } from '../design/menu-item.tsx'
import { tellRefusal } from '../design/notices.tsx'
import { chooseLanguage, currentLanguage, LANGUAGES, useWords } from '../words/words.ts'
import classes from './frame.module.css'

const SCHEMES = ['light', 'dark', 'auto'] as const

/** Who is signed in, how the page looks to them, and the way out. */
export function PersonMenu({ isFolded, onKeys }: { isFolded: boolean; onKeys: () => void }) {
  const say = useWords('shell')
  const me = useMe()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = () => signOut().catch(tellRefusal)
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <button type="button" className={classes.person} title={say('me')}>
          <Initials name={me.name} />
          {isFolded ? <span className="sr-only">{me.name}</span> : me.name}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuItem component={Link} to="/me">
          {say('me')}
        </MenuItem>
        <MenuItem onClick={onKeys}>{say('keys')}</MenuItem>
        <Menu.Divider />
        <Menu.Label>{say('appearance')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <MenuItem key={scheme} onClick={() => setColorScheme(scheme)} rightSection={mark(scheme === colorScheme)}>
            {say(scheme)}
          </MenuItem>
        ))}
        <Menu.Divider />
        {LANGUAGES.map((language) => (
          <MenuItem
            key={language}
            onClick={() => chooseLanguage(language)}
            rightSection={mark(language === currentLanguage())}
          >
            {say(language)}
          </MenuItem>
        ))}
        <Menu.Divider />
        <MenuItem onClick={leave}>{say('signOut')}</MenuItem>
      </Menu.Dropdown>
    </Menu>
  )
}

function mark(isChosen: boolean) {
  return isChosen ? '✓' : null
}
