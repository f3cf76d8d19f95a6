import type { ReactNode, Ref } from 'react'
import { useWords } from '../words/words.ts'
import classes from './parts.module.css'

/** More columns are no line that anybody reads: each row is a card then. */
const IN_A_LINE_MAX = 5

interface Head {
  label: string
  isRequired?: boolean
}

interface Line {
  key: string
  /** Names the row, for everybody who does not see it. */
  name: string
  cells: readonly ReactNode[]
  /** What is wrong with it as a whole. */
  problem?: string | undefined
  actions?: ReactNode
}

interface Props {
  label: string
  help?: string | null | undefined
  heads: readonly Head[]
  lines: readonly Line[]
  /** What stands below: buttons that add a row. */
  children?: ReactNode
  /** What is wrong with the list as a whole. */
  problem?: string | undefined
  ref?: Ref<HTMLFieldSetElement>
}

/** The parts of a record as the rows of a table, one below the other where the window is narrow. */
export function PartsTable({ label, help, heads, lines, children, problem, ref }: Props) {
  const say = useWords('records')
  return (
    <fieldset ref={ref} className={classes.parts}>
      <legend>{label}</legend>
      {help ? <p className={classes.quiet}>{help}</p> : null}
      {lines.length === 0 ? (
        <p className={classes.quiet}>{say('noParts')}</p>
      ) : (
        <table className={classes.table} data-many={heads.length > IN_A_LINE_MAX || undefined}>
          <thead>
            <tr>
              {heads.map(({ label: head, isRequired }) => (
                <th key={head} scope="col">
                  {head}
                  {isRequired === true ? <span className={classes.needed}> *</span> : null}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Row key={line.key} line={line} heads={heads} />
            ))}
          </tbody>
        </table>
      )}
      {problem === undefined ? null : (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
      {children}
    </fieldset>
  )
}

function Row({ line: { name, cells, problem, actions }, heads }: { line: Line; heads: readonly Head[] }) {
  return (
    <>
      <tr aria-label={name}>
        {heads.map(({ label: head, isRequired }, at) => (
          <td key={head} data-head={isRequired === true ? `${head} *` : head}>
            {cells[at]}
          </td>
        ))}
        <td className={classes.actions}>{actions}</td>
      </tr>
      {problem === undefined ? null : (
        <tr>
          <td colSpan={heads.length + 1}>
            <p role="alert" className={classes.problem}>
              {problem}
            </p>
          </td>
        </tr>
      )}
    </>
  )
}
