// "Prove it on this machine": runs every published digest case on the program's own model and shows what came out beside what
// should have. A case at a time, giving the page back in between, so nothing freezes.

const SLICE_MS = 12;

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

function cell(text, name = 'td') {
  const made = document.createElement(name);
  made.textContent = text;
  if (name === 'th') made.scope = 'row';
  return made;
}

function row(id, check) {
  const made = document.createElement('tr');
  made.dataset.case = id;
  made.dataset.ok = String(check.expected === check.actual);
  made.append(cell(id, 'th'), cell(check.after_ticks ?? ''), cell(check.expected), cell(check.actual));
  return made;
}

/**
 * Wires the section up. `program()` gives the loaded program (`{ glue, verified }`), loading it if need be; `casesUrl` is where
 * the cases are.
 */
export function wireProof({ button, progress, result, scroll, table, program, casesUrl }) {
  const body = table.tBodies[0];

  async function run() {
    result.textContent = 'Loading the program and the cases.';
    const [{ glue, verified }, cases] = await Promise.all([
      program(),
      fetch(casesUrl).then((response) => {
        if (!response.ok) throw new Error(`${casesUrl.pathname}: HTTP ${response.status}`);
        return response.json();
      }),
    ]);
    if (!Array.isArray(cases) || cases.length === 0) throw new Error('there are no cases, and no cases prove nothing');

    body.replaceChildren();
    scroll.hidden = false;
    progress.hidden = false;
    progress.max = cases.length;
    progress.value = 0;
    let right = 0;
    let digests = 0;
    let since = performance.now();
    for (const script of cases) {
      const answer = JSON.parse(glue.replay_case(JSON.stringify(script)));
      if (answer.ok) right += 1;
      digests += answer.checks.length;
      body.append(...answer.checks.map((check) => row(answer.id, check)));
      progress.value += 1;
      if (performance.now() - since > SLICE_MS) {
        await nextTask();
        since = performance.now();
      }
    }
    progress.hidden = true;
    const mark = right === cases.length ? '✓' : '✗';
    const unverified = verified ? '' : ' This address is not secure, so the program itself could not be checked against its hash.';
    result.dataset.ok = String(right === cases.length);
    result.textContent = `${right} of ${cases.length} cases ${mark}, ${digests} checks compared.${unverified}`;
  }

  button.addEventListener('click', async () => {
    button.disabled = true;
    delete result.dataset.ok;
    try {
      await run();
    } catch (error) {
      progress.hidden = true;
      result.dataset.ok = 'false';
      result.textContent = `The cases could not be run. ${error.message}`;
    } finally {
      button.disabled = false;
    }
  });
}
