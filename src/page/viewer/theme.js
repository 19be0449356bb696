// Dark or light: what the system says, unless the reader has chosen otherwise here before.
(() => {
  'use strict';
  const root = document.documentElement, key = 'cubewright-theme';
  const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => { root.dataset.theme = stored() ?? (system.matches ? 'dark' : 'light'); };
  show();
  // The layout that the viewer wants is there from the start.
  root.classList.add('scripted');
  system.addEventListener('change', show);
  addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    button.hidden = false;
    button.addEventListener('click', () => {
      const theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
      // A browser may keep nothing for pages from disk; the choice then lasts as long as the page.
      try { localStorage.setItem(key, theme); } catch { /* nothing is lost */ }
      root.dataset.theme = theme;
    });
  });
})();
