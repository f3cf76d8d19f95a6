import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { mayDo, useMe } from '../data/session.ts'
import { PageHead } from '../design/page-head.tsx'
import { Button } from '../design/press.tsx'
import { PagesList } from '../records/pages-list.tsx'
import { SearchInput } from '../records/search-input.tsx'
import { useSelection } from '../records/selection.ts'
import { SelectionBar } from '../records/selection-bar.tsx'
import { ViewPicker } from '../records/view-picker.tsx'
import { phone as phoneOf, plain } from '../words/formats.ts'
import { useWords } from '../words/words.ts'
import classes from './contact.module.css'
import { firstNumberOf } from './contact-number.ts'
import { type ContactsSearch, domainOf } from './contacts-search.ts'

/** As people look for people. */
const ORDER = 'name, id'
const FIELDS = [
  ...(['name', 'phone', 'mobile', 'phone_normalized', 'mobile_normalized', 'email', 'parent_id'] as const),
] as const

/** What a file of contacts says of each. */
const FILE_FIELDS = ['name', 'phone', 'mobile', 'email', 'parent_id']

/** Everybody the company talks to. */
export function ContactsPage() {
  const say = useWords('contacts')
  const search = useSearch({ strict: false }) as ContactsSearch
  const navigate = useNavigate()
  const mayMake = mayDo(useMe(), 'res.partner', 'c')
  const domain = domainOf(search)
  const selection = useSelection(JSON.stringify(domain))
  const filter = (text: string | undefined) => {
    const among = search.only === 'staff' ? { only: search.only } : {}
    void navigate({ to: '.', search: { ...among, ...(text === undefined ? {} : { text }) } as never, replace: true })
  }
  return (
    <>
      <PageHead title={say('title')}>
        <ViewPicker model="res.partner" all={say('allContacts')} />
        <SearchInput label={say('search')} text={search.text} className={classes.search} onSearch={filter} />
        <Link to="/contacts" search={(search.only === undefined ? { only: 'numbers' } : {}) as never}>
          {search.only === undefined ? say('onlyNumbers') : say('withNames')}
        </Link>
        {search.only === undefined ? (
          <Link to="/contacts" search={{ only: 'staff' } as never}>
            {say('staff')}
          </Link>
        ) : null}
        <Link to="/contacts/duplicates">{say('duplicatesLink')}</Link>
        {mayMake ? (
          <Button component={Link} to="/contacts/new">
            {say('new')}
          </Button>
        ) : null}
      </PageHead>
      <PagesList
        model="res.partner"
        label={say('title')}
        fields={FIELDS}
        domain={domain}
        selection={selection}
        actions={(total) => (
          <SelectionBar
            {...{ domain, selection, total }}
            model="res.partner"
            fields={FILE_FIELDS}
            order={ORDER}
            nameLabel={say('title')}
          />
        )}
        isFiltered={search.text !== undefined || search.only !== undefined}
        order={ORDER}
        empty={say('empty')}
        onShowAll={() => void navigate({ to: '.', search: {} })}
        onOpen={({ id }) => void navigate({ to: '/contacts/$id', params: { id: String(id) } })}
        columns={() => [
          {
            id: 'name',
            label: say('name'),
            width: 'minmax(160px, 2fr)',
            cell: ({ name }) => <strong>{phoneOf(name ?? '')}</strong>,
          },
          {
            id: 'phone',
            label: say('phone'),
            width: 'minmax(120px, 1fr)',
            cell: (contact) => phoneOf(firstNumberOf(contact)),
          },
          {
            id: 'company',
            label: say('company'),
            width: 'minmax(120px, 1fr)',
            cell: ({ parent_id: company }) => plain(company?.[1] ?? ''),
          },
          {
            id: 'email',
            label: say('email'),
            width: 'minmax(140px, 1fr)',
            cell: ({ email }) => plain(email ?? ''),
          },
        ]}
      />
    </>
  )
}
