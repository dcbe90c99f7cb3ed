for (const button of document.querySelectorAll('button[data-print]'))
  button.addEventListener('click', () => window.print())
